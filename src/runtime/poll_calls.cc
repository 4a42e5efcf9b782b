// Waiting for one of several descriptors. Their timeouts are virtual: they pass when nobody else
// can move.
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include <cerrno>
#include <cstring>

#include "runtime/blocking.h"
#include "runtime/kernel_effects.h"
#include "runtime/raw.h"

namespace mazurka {
namespace {

constexpr int64_t kMillisecondNs = 1'000'000;

int64_t timeout_of(int milliseconds) {
  return milliseconds < 0 ? kForever : milliseconds * kMillisecondNs;
}

int64_t timeout_of(const timespec* time) {
  return time == nullptr ? kForever : time->tv_sec * 1'000'000'000 + time->tv_nsec;
}

// `look()` is the call with a timeout of zero, as the kernel answers it.
template <typename Look>
int wait_for_any(OtherSide other, int64_t timeout_ns, Call call, Look&& look) {
  long result = 0;
  try_until_done(other, timeout_ns, call, [&] { return (result = look()) != 0; });
  if (!raw_failed(result)) return static_cast<int>(result);
  errno = static_cast<int>(-result);
  return -1;
}

OtherSide other_side_of_any(const pollfd* fds, nfds_t count) {
  for (nfds_t i = 0; i < count; ++i) {
    if (fds[i].fd >= 0 && other_side(fds[i].fd) == OtherSide::World) return OtherSide::World;
  }
  return OtherSide::Program;
}

int wait_poll(pollfd* fds, nfds_t count, int64_t timeout_ns, Call call) {
  if (count == 0 && timeout_ns > 0) {  // a way to sleep
    pause_briefly(timeout_ns, call);
    return 0;
  }
  return wait_for_any(other_side_of_any(fds, count), timeout_ns, call, [&] {
    return program_syscall(SYS_poll, address_of(fds), static_cast<long>(count), 0);
  });
}

// The sets of select, which the call overwrites.
struct Sets {
  fd_set sets[3];

  void load(fd_set* const (&from)[3], size_t bytes) {
    for (int i = 0; i < 3; ++i) {
      if (from[i] != nullptr) memcpy(&sets[i], from[i], bytes);
    }
  }
  void store(fd_set* const (&to)[3], size_t bytes) const {
    for (int i = 0; i < 3; ++i) {
      if (to[i] != nullptr) memcpy(to[i], &sets[i], bytes);
    }
  }
};

int wait_select(int limit, fd_set* const (&sets)[3], int64_t timeout_ns, Call call) {
  if (limit == 0 && timeout_ns > 0) {
    pause_briefly(timeout_ns, call);
    return 0;
  }
  if (limit < 0 || limit > FD_SETSIZE) {
    errno = EINVAL;
    return -1;
  }
  const size_t bytes = (static_cast<size_t>(limit) + 63) / 64 * 8;
  Sets ready{};
  const auto look = [&] {
    ready.load(sets, bytes);
    const auto set = [&](int i) { return sets[i] != nullptr ? address_of(&ready.sets[i]) : 0; };
    const timespec at_once{};
    return program_syscall(SYS_pselect6, limit, set(0), set(1), set(2), address_of(&at_once), 0);
  };
  const int result = wait_for_any(OtherSide::World, timeout_ns, call, look);
  if (result >= 0) ready.store(sets, bytes);
  return result;
}

int wait_epoll(int epoll, epoll_event* events, int most, int64_t timeout_ns, Call call) {
  return wait_for_any(OtherSide::World, timeout_ns, call, [&] {
    return program_syscall(SYS_epoll_wait, epoll, address_of(events), most, 0);
  });
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

// With _FORTIFY_SOURCE programs call these; no header declares them for us.
// NOLINTBEGIN(*-naming,*-reserved-identifier)
extern "C" {
int __poll_chk(pollfd* fds, nfds_t count, int timeout, size_t size);
int __ppoll_chk(pollfd* fds, nfds_t count, const timespec* timeout, const sigset_t* mask,
                size_t size);
}
// NOLINTEND(*-naming,*-reserved-identifier)

MAZURKA_EXPORT int poll(pollfd* fds, nfds_t count, int timeout) {
  if (!attached()) return REAL(poll)(fds, count, timeout);
  return wait_poll(fds, count, timeout_of(timeout), MAZURKA_HERE);
}

MAZURKA_EXPORT int __poll_chk(pollfd* fds, nfds_t count, int timeout, size_t size) {
  if (!attached()) return REAL(__poll_chk)(fds, count, timeout, size);
  return wait_poll(fds, count, timeout_of(timeout), MAZURKA_HERE);
}

MAZURKA_EXPORT int ppoll(pollfd* fds, nfds_t count, const timespec* timeout, const sigset_t* mask) {
  if (!attached()) return REAL(ppoll)(fds, count, timeout, mask);
  return wait_poll(fds, count, timeout_of(timeout), MAZURKA_HERE);
}

MAZURKA_EXPORT int __ppoll_chk(pollfd* fds, nfds_t count, const timespec* timeout,
                               const sigset_t* mask, size_t size) {
  if (!attached()) return REAL(__ppoll_chk)(fds, count, timeout, mask, size);
  return wait_poll(fds, count, timeout_of(timeout), MAZURKA_HERE);
}

MAZURKA_EXPORT int select(int limit, fd_set* __restrict in, fd_set* __restrict out,
                          fd_set* __restrict other, timeval* __restrict timeout) {
  if (!attached()) return REAL(select)(limit, in, out, other, timeout);
  const int64_t timeout_ns =
      timeout == nullptr ? kForever : timeout->tv_sec * 1'000'000'000 + timeout->tv_usec * 1'000;
  const int result = wait_select(limit, {in, out, other}, timeout_ns, MAZURKA_HERE);
  if (result == 0 && timeout != nullptr) *timeout = {};  // Linux says how much is left
  return result;
}

MAZURKA_EXPORT int pselect(int limit, fd_set* __restrict in, fd_set* __restrict out,
                           fd_set* __restrict other, const timespec* __restrict timeout,
                           const sigset_t* __restrict mask) {
  if (!attached()) return REAL(pselect)(limit, in, out, other, timeout, mask);
  return wait_select(limit, {in, out, other}, timeout_of(timeout), MAZURKA_HERE);
}

MAZURKA_EXPORT int epoll_wait(int epoll, epoll_event* events, int most, int timeout) {
  if (!attached()) return REAL(epoll_wait)(epoll, events, most, timeout);
  return wait_epoll(epoll, events, most, timeout_of(timeout), MAZURKA_HERE);
}

MAZURKA_EXPORT int epoll_pwait(int epoll, epoll_event* events, int most, int timeout,
                               const sigset_t* mask) {
  if (!attached()) return REAL(epoll_pwait)(epoll, events, most, timeout, mask);
  return wait_epoll(epoll, events, most, timeout_of(timeout), MAZURKA_HERE);
}

MAZURKA_EXPORT int epoll_pwait2(int epoll, epoll_event* events, int most, const timespec* timeout,
                                const sigset_t* mask) {
  if (!attached()) return REAL(epoll_pwait2)(epoll, events, most, timeout, mask);
  return wait_epoll(epoll, events, most, timeout_of(timeout), MAZURKA_HERE);
}
