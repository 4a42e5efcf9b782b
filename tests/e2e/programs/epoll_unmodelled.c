// expect: verdict=incomplete
// What is told once, or for each change, to one of several threads has no model: it is named.
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

static int epoll, ends[2];

static void* waiter(void* unused) {
  struct epoll_event got;
  epoll_wait(epoll, &got, 1, 0);
  return unused;
}

int main(void) {
  struct epoll_event wanted = {.events = EPOLLIN | EPOLLONESHOT};
  pthread_t thread;
  epoll = epoll_create1(0);
  assert(pipe(ends) == 0 && epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &wanted) == 0);
  pthread_create(&thread, NULL, waiter, NULL);
  waiter(NULL);
  pthread_join(thread, NULL);
}
