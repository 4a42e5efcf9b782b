// expect: verdict=incomplete
// Changing what another thread waits for is no operation: it is named, even if the two do not meet.
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

static int epoll, ends[2];

static void* changer(void* unused) {
  struct epoll_event wanted = {.events = EPOLLOUT};
  assert(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[1], &wanted) == 0);
  return unused;
}

int main(void) {
  struct epoll_event wanted = {.events = EPOLLIN}, got;
  pthread_t thread;
  epoll = epoll_create1(0);
  assert(pipe(ends) == 0 && epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &wanted) == 0);
  pthread_create(&thread, NULL, changer, NULL);
  epoll_wait(epoll, &got, 1, 0);
  pthread_join(thread, NULL);
}
