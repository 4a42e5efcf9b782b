// expect: executions=1 transitions=22 verdict=ok
// Priorities, attributes, O_NONBLOCK, timeouts and errors of POSIX message queues; then two
// threads, one place.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static mqd_t small;

static void errors(mqd_t queue) {
  struct mq_attr none = {.mq_maxmsg = 0, .mq_msgsize = 8};
  char bytes[8];
  assert(mq_open("no-slash", O_RDWR) == -1 && errno == EINVAL);
  assert(mq_open("/", O_RDWR) == -1 && errno == ENOENT);
  assert(mq_open("/a/b", O_RDWR) == -1 && errno == EACCES);
  assert(mq_open("/nobody", O_RDWR) == -1 && errno == ENOENT);
  assert(mq_open("/none", O_RDWR | O_CREAT, 0600, &none) == -1 && errno == EINVAL);
  assert(mq_open("/forms", O_RDWR | O_CREAT | O_EXCL, 0600, &none) == -1 && errno == EEXIST);
  assert(mq_send(queue, bytes, 9, 0) == -1 && errno == EMSGSIZE);
  assert(mq_send(queue, bytes, 1, 32768) == -1 && errno == EINVAL);
  assert(mq_receive(queue, bytes, 7, NULL) == -1 && errno == EMSGSIZE);
  assert(mq_send(9, bytes, 1, 0) == -1 && errno == EBADF);
  mqd_t reads = mq_open("/forms", O_RDONLY);
  assert(reads != queue && mq_send(reads, bytes, 1, 0) == -1 && errno == EBADF);
  assert(mq_close(reads) == 0 && mq_close(reads) == -1 && errno == EBADF);
  assert(mq_unlink("/nobody") == -1 && errno == ENOENT);
}

static void priorities(mqd_t queue) {
  char bytes[8];
  unsigned priority;
  assert(mq_send(queue, "low", 3, 1) == 0 && mq_send(queue, "high", 4, 9) == 0 &&
         mq_send(queue, "", 0, 9) == 0);
  assert(mq_receive(queue, bytes, 8, &priority) == 4 && priority == 9 &&
         memcmp(bytes, "high", 4) == 0);
  assert(mq_receive(queue, bytes, 8, &priority) == 0 && priority == 9);
  assert(mq_receive(queue, bytes, 8, &priority) == 3 && priority == 1 &&
         memcmp(bytes, "low", 3) == 0);
}

static void waits_that_fail(mqd_t queue) {
  char bytes[8];
  struct timespec deadline, now, never = {.tv_nsec = -1};
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 5;
  assert(mq_timedreceive(queue, bytes, 8, NULL, &never) == -1 && errno == EINVAL);
  assert(mq_timedreceive(queue, bytes, 8, NULL, &deadline) == -1 && errno == ETIMEDOUT);
  clock_gettime(CLOCK_REALTIME, &now);
  assert(now.tv_sec >= deadline.tv_sec);
  struct mq_attr state, wanted = {.mq_flags = O_NONBLOCK};
  assert(mq_setattr(queue, &wanted, &state) == 0 && state.mq_flags == 0);
  assert(mq_timedreceive(queue, bytes, 8, NULL, &deadline) == -1 && errno == EAGAIN);
  struct pollfd polled = {.fd = queue, .events = POLLIN | POLLOUT};
  for (int i = 0; i < 3; ++i) assert(mq_send(queue, "x", 1, 0) == 0);
  assert(mq_send(queue, "x", 1, 0) == -1 && errno == EAGAIN);
  assert(poll(&polled, 1, 0) == 1 && polled.revents == POLLIN);
  assert(mq_getattr(queue, &state) == 0 && state.mq_flags == O_NONBLOCK && state.mq_maxmsg == 3 &&
         state.mq_msgsize == 8 && state.mq_curmsgs == 3);
}

static void* sender(void* unused) {
  for (int i = 0; i < 3; ++i) assert(mq_send(small, "m", 1, 0) == 0);
  return unused;
}

int main(void) {
  struct mq_attr attributes = {.mq_maxmsg = 3, .mq_msgsize = 8};
  mqd_t queue = mq_open("/forms", O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);
  assert(queue >= 0);
  errors(queue);
  priorities(queue);
  waits_that_fail(queue);
  assert(mq_close(queue) == 0 && mq_unlink("/forms") == 0 && mq_open("/forms", O_RDWR) == -1 &&
         errno == ENOENT);

  attributes.mq_maxmsg = 1;
  small = mq_open("/small", O_RDWR | O_CREAT, 0600, &attributes);
  pthread_t thread;
  char bytes[8];
  pthread_create(&thread, NULL, sender, NULL);
  for (int i = 0; i < 3; ++i) assert(mq_receive(small, bytes, 8, NULL) == 1);
  pthread_join(thread, NULL);
}
