// expect: executions=5 transitions=25 verdict=ok
// With EPOLLONESHOT what is there is told once, until it is asked for anew.
#include <assert.h>
#include <errno.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char byte;
  struct epoll_event wanted = {.events = EPOLLIN | EPOLLONESHOT}, got[2];
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  assert(pipe(ends) == 0 && epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &wanted) == 0);
  if (fork() == 0) {
    assert(write(ends[1], "x", 1) == 1);
    _exit(0);
  }
  assert(epoll_pwait(epoll, got, 2, -1, NULL) == 1 && got[0].events == EPOLLIN);
  assert(epoll_wait(epoll, got, 2, 1000) == 0);
  assert(epoll_ctl(epoll, EPOLL_CTL_MOD, ends[0], &wanted) == 0);
  assert(epoll_wait(epoll, got, 2, 1000) == 1 && read(ends[0], &byte, 1) == 1);
  assert(wait(NULL) > 0);
}
