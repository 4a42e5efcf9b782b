// expect: executions=4 transitions=24 verdict=ok
// The same, right: who is told reads until there is no more.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

static int ends[2];

static void* writer(void* unused) {
  for (int i = 0; i < 2; ++i) assert(write(ends[1], "x", 1) == 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  struct epoll_event wanted = {.events = EPOLLIN | EPOLLET}, got;
  const int epoll = epoll_create1(0);
  assert(pipe2(ends, O_NONBLOCK) == 0 && epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &wanted) == 0);
  pthread_create(&thread, NULL, writer, NULL);
  for (int seen = 0; seen < 2;) {
    char byte;
    assert(epoll_wait(epoll, &got, 1, -1) == 1);
    while (read(ends[0], &byte, 1) == 1) ++seen;
  }
  pthread_join(thread, NULL);
}
