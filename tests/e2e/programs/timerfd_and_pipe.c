// expect: executions=4 transitions=17 verdict=ok
// Whoever waits for an answer or a timer gets either or both.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int ends[2];

static void* answer(void* unused) {
  assert(write(ends[1], "x", 1) == 1);
  return unused;
}

int main(void) {
  struct itimerspec second = {.it_value = {.tv_sec = 1}};
  pthread_t thread;
  assert(pipe(ends) == 0);
  int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  assert(timerfd_settime(timer, 0, &second, NULL) == 0);
  pthread_create(&thread, NULL, answer, NULL);

  struct pollfd polled[] = {{.fd = timer, .events = POLLIN}, {.fd = ends[0], .events = POLLIN}};
  int ready = poll(polled, 2, -1);
  assert(ready == (polled[0].revents == POLLIN) + (polled[1].revents == POLLIN) && ready >= 1);
  uint64_t count;
  if (polled[0].revents == POLLIN) assert(read(timer, &count, 8) == 8 && count == 1);
  pthread_join(thread, NULL);

  int epoll = epoll_create1(0);
  struct epoll_event wanted = {.events = EPOLLIN}, found[2];
  assert(epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &wanted) == 0);
  assert(epoll_wait(epoll, found, 2, 5000) == (polled[0].revents == POLLIN ? 0 : 1));
}
