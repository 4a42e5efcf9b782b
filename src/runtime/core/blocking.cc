#include "runtime/core/blocking.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "runtime/core/raw.h"
#include "runtime/reset/kernel_effects.h"

namespace mazurka {
namespace {

constexpr int kLooksAtProgram = 10;
constexpr int kLooksAtWorld = 2'000;

bool is_local_socket(int fd) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  const long result =
      program_syscall(SYS_getsockname, fd, address_of(&address), address_of(&length));
  return !raw_failed(result) && address.ss_family == AF_UNIX;
}

// Adding 0 works on an eventfd and on nothing else without a file behind it, and changes nothing.
bool is_eventfd(int fd) {
  const uint64_t nothing = 0;
  return program_syscall(SYS_write, fd, address_of(&nothing), sizeof nothing) == sizeof nothing;
}

}  // namespace

OtherSide other_side(int fd) {
  struct stat status {};
  if (raw_failed(program_syscall(SYS_fstat, fd, address_of(&status)))) return OtherSide::Nobody;
  switch (status.st_mode & S_IFMT) {
    case S_IFIFO:
      return OtherSide::Program;
    case S_IFSOCK:
      return is_local_socket(fd) ? OtherSide::Program : OtherSide::World;
    case 0:  // no file at all: eventfd, timerfd, inotify, signalfd, epoll
      return is_eventfd(fd) ? OtherSide::Program : OtherSide::World;
    default:
      return OtherSide::Nobody;
  }
}

bool is_nonblocking(int fd) {
  const long flags = program_syscall(SYS_fcntl, fd, F_GETFL);
  return raw_failed(flags) || (flags & O_NONBLOCK) != 0;
}

bool is_ready(int fd, short events) {
  pollfd wanted{fd, events, 0};
  return program_syscall(SYS_poll, address_of(&wanted), 1, 0) != 0;
}

void await_ready(int fd, short events, Call call) {
  const OtherSide other = other_side(fd);
  if (other == OtherSide::Nobody || is_nonblocking(fd)) return;
  try_until_done(other, kForever, call, [&] { return is_ready(fd, events); });
}

int looks(OtherSide other, int64_t timeout_ns) {
  if (timeout_ns != kForever) return 1;
  return other == OtherSide::World ? kLooksAtWorld : kLooksAtProgram;
}

void wait_a_millisecond() { program_syscall(SYS_poll, 0, 0, 1); }

}  // namespace mazurka
