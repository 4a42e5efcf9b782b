// expect: executions=3 transitions=15 verdict=error findings=deadlock
// With EPOLLET one must read until there is no more: if both bytes are there before the first wait,
// it waits for ever.
#include <assert.h>
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
  assert(pipe(ends) == 0 && epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &wanted) == 0);
  pthread_create(&thread, NULL, writer, NULL);
  for (int seen = 0; seen < 2; ++seen) {
    char byte;
    assert(epoll_wait(epoll, &got, 1, -1) == 1);
    assert(read(ends[0], &byte, 1) == 1);
  }
  pthread_join(thread, NULL);
}
