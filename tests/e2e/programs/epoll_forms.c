// expect: executions=5 transitions=42 verdict=ok
// epoll waits as poll does; what it says stays until it is read.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

static int first[2], second[2];

static void* writer(void* fd) {
  assert(write(*(int*)fd, "x", 1) == 1);
  return NULL;
}

static void look_at(int epoll, int fd) {
  struct epoll_event wanted = {.events = EPOLLIN, .data = {.fd = fd}};
  assert(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &wanted) == 0);
}

int main(void) {
  pthread_t threads[2];
  struct epoll_event got[4];
  int epoll = epoll_create1(0);
  assert(epoll >= 0 && pipe(first) == 0 && pipe(second) == 0);
  look_at(epoll, first[0]);
  look_at(epoll, second[0]);
  struct epoll_event again = {.events = EPOLLIN};
  assert(epoll_ctl(epoll, EPOLL_CTL_ADD, first[0], &again) == -1 && errno == EEXIST);
  assert(epoll_wait(epoll, got, 4, 0) == 0);
  pthread_create(&threads[0], NULL, writer, &first[1]);
  pthread_create(&threads[1], NULL, writer, &second[1]);
  int ready = epoll_wait(epoll, got, 4, -1);
  assert(ready >= 1 && ready <= 2 && got[0].events == EPOLLIN);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  char byte;
  assert(epoll_wait(epoll, got, 1, 1000) == 1 && got[0].data.fd == first[0] &&
         read(first[0], &byte, 1) == 1);
  assert(epoll_wait(epoll, got, 4, 1000) == 1 && got[0].data.fd == second[0]);
  assert(epoll_ctl(epoll, EPOLL_CTL_DEL, second[0], NULL) == 0);
  assert(epoll_wait(epoll, got, 4, 1000) == 0);
}
