// expect: verdict=ok
// Waits on descriptors let other threads run, and their timeouts are virtual.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int ends[2], event;

static void* sender(void* unused) {
  assert(send(ends[1], "a", 1, 0) == 1);
  uint64_t one = 1;
  assert(write(event, &one, sizeof one) == sizeof one);
  char answer;
  assert(recv(ends[1], &answer, 1, 0) == 1 && answer == 'b');
  return unused;
}

static void wait_for_event(void) {
  struct epoll_event wanted = {.events = EPOLLIN}, got;
  int epoll = epoll_create1(0);
  assert(epoll >= 0 && epoll_ctl(epoll, EPOLL_CTL_ADD, event, &wanted) == 0);
  assert(epoll_wait(epoll, &got, 1, -1) == 1 && got.events == EPOLLIN);
  uint64_t value;
  assert(read(event, &value, sizeof value) == sizeof value && value == 1);
  assert(epoll_wait(epoll, &got, 1, 1000) == 0);
  close(epoll);
}

static void time_out(void) {
  time_t before = time(NULL);
  struct pollfd in = {.fd = ends[0], .events = POLLIN};
  struct timeval day = {86400, 0};
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  assert(poll(&in, 1, 60000) == 0);
  assert(select(ends[0] + 1, &set, NULL, NULL, &day) == 0 && !FD_ISSET(ends[0], &set));
  assert(poll(NULL, 0, 1000) == 0);
  assert(time(NULL) - before >= 86460);
}

int main(void) {
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  event = eventfd(0, 0);
  assert(event >= 0);
  time_out();
  pthread_t thread;
  assert(pthread_create(&thread, NULL, sender, NULL) == 0);
  struct pollfd in = {.fd = ends[0], .events = POLLIN};
  char got;
  assert(poll(&in, 1, -1) == 1 && in.revents == POLLIN && recv(ends[0], &got, 1, 0) == 1 &&
         got == 'a');
  wait_for_event();
  assert(send(ends[0], "b", 1, 0) == 1);
  assert(pthread_join(thread, NULL) == 0);
}
