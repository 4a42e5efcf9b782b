// expect: executions=1 verdict=ok
// With EPOLLET what is there is told once, until something changes: as Linux has it.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

static int epoll;
static struct epoll_event got;

static void look_at(int fd, unsigned events) {
  struct epoll_event wanted = {.events = events | EPOLLET};
  assert(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &wanted) == 0);
}

// What it tells now, 0 for nothing.
static unsigned told(void) {
  const int ready = epoll_wait(epoll, &got, 1, 0);
  assert(ready >= 0);
  return ready == 0 ? 0 : got.events;
}

static void put(int fd) { assert(write(fd, "xy", 2) == 2); }

static void take(int fd) {
  char byte;
  assert(read(fd, &byte, 1) == 1);
}

static void pipes(void) {
  int ends[2];
  assert(pipe2(ends, O_NONBLOCK) == 0);
  put(ends[1]);
  look_at(ends[0], EPOLLIN);  // told of what was there before
  assert(told() == EPOLLIN && told() == 0);
  take(ends[0]);
  assert(told() == 0);  // although there is more
  put(ends[1]);
  assert(told() == EPOLLIN && told() == 0);
  struct epoll_event again = {.events = EPOLLIN | EPOLLET};
  assert(epoll_ctl(epoll, EPOLL_CTL_MOD, ends[0], &again) == 0);
  assert(told() == EPOLLIN && told() == 0);
  for (int i = 0; i < 3; ++i) take(ends[0]);
  put(ends[1]);
  for (int i = 0; i < 2; ++i) take(ends[0]);
  assert(told() == 0);  // it came, and is gone
  close(ends[1]);
  assert(told() == EPOLLHUP && told() == 0);
  close(ends[0]);
}

// A pipe says that there is room when there was none before.
static void room_in_pipes(void) {
  static char page[4096];
  int ends[2];
  assert(pipe2(ends, O_NONBLOCK) == 0);
  look_at(ends[1], EPOLLOUT);
  assert(told() == EPOLLOUT && told() == 0);
  put(ends[1]);
  take(ends[0]);
  take(ends[0]);
  assert(told() == 0);
  while (write(ends[1], page, sizeof page) > 0) {
  }
  assert(errno == EAGAIN && told() == 0);
  assert(read(ends[0], page, sizeof page) == sizeof page);
  assert(told() == EPOLLOUT && told() == 0);
  close(ends[0]);
  assert(told() == (EPOLLOUT | EPOLLERR) && told() == 0);
  close(ends[1]);
}

static void sockets(void) {
  int ends[2];
  assert(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0);
  look_at(ends[0], EPOLLIN | EPOLLOUT | EPOLLRDHUP);
  assert(told() == EPOLLOUT && told() == 0);
  put(ends[1]);
  assert(told() == (EPOLLIN | EPOLLOUT) && told() == 0);
  take(ends[0]);
  assert(told() == 0);
  put(ends[0]);
  assert(told() == 0);
  take(ends[1]);
  take(ends[1]);  // there is room again, it says, and everything else that is true
  assert(told() == (EPOLLIN | EPOLLOUT) && told() == 0);
  assert(shutdown(ends[1], SHUT_WR) == 0);
  assert(told() == (EPOLLIN | EPOLLOUT | EPOLLRDHUP) && told() == 0);
  close(ends[1]);
  assert(told() == (EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLHUP) && told() == 0);
  close(ends[0]);
}

static void events(void) {
  const int fd = eventfd(0, EFD_NONBLOCK);
  look_at(fd, EPOLLIN);
  assert(told() == 0);
  assert(eventfd_write(fd, 1) == 0 && told() == EPOLLIN && told() == 0);
  assert(eventfd_write(fd, 1) == 0 && told() == EPOLLIN && told() == 0);
  eventfd_t value;
  assert(eventfd_read(fd, &value) == 0 && value == 2 && told() == 0);
  close(fd);
}

int main(void) {
  epoll = epoll_create1(0);
  assert(epoll >= 0);
  pipes();
  room_in_pipes();
  sockets();
  events();
}
