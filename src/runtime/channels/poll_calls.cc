// Waiting for one of several descriptors. Their timeouts are virtual: they pass when nobody else
// can move.
#include "runtime/channels/poll_calls.h"

#include <sys/select.h>

#include <cerrno>
#include <cstring>

#include "runtime/channels/descriptors.h"
#include "runtime/core/blocking.h"
#include "runtime/core/failure.h"
#include "runtime/core/raw.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/signals/signal_actions.h"
#include "runtime/sync/sysv_sets.h"
#include "runtime/time/pauses.h"

namespace mazurka {
namespace {

// `look()` is the call with a timeout of zero, as the kernel answers it.
template <typename Look>
int wait_for_any(OtherSide other, int64_t timeout_ns, Call call, Look&& look) {
  long result = 0;
  try_until_done(other, timeout_ns, call, [&] { return (result = look()) != 0; });
  return number_with_errno(result);
}

OtherSide other_side_of_any(const pollfd* fds, nfds_t count) {
  for (nfds_t i = 0; i < count; ++i) {
    if (fds[i].fd >= 0 && other_side(fds[i].fd) == OtherSide::World) return OtherSide::World;
  }
  return OtherSide::Program;
}

// Whether the model can say when one of them is ready: at least one has a model, and the others are
// files.
bool have_models(const pollfd* fds, nfds_t count) {
  bool any = false;
  for (nfds_t i = 0; i < count; ++i) {
    if (fds[i].fd < 0) continue;
    const bool has_model = pollable_description_of(fds[i].fd) != kNoObject;
    any = any || has_model;
    if (!has_model && other_side(fds[i].fd) != OtherSide::Nobody) return false;
  }
  return any;
}

OpPart part_for(const pollfd& wanted, ObjectId description, const OpPart* known, nfds_t i) {
  if (known != nullptr && known[i].poll.changes_only != 0) return known[i];
  return polled(description, wanted.events);
}

// What the descriptors are ready for, and how many are; files are asked of the kernel, `others` of
// them.
int look_at(pollfd* fds, nfds_t count, bool others, const OpPart* known) {
  int ready = 0;
  for (nfds_t i = 0; i < count; ++i) {
    pollfd& wanted = fds[i];
    wanted.revents = 0;
    if (wanted.fd < 0) continue;
    const ObjectId description = pollable_description_of(wanted.fd);
    if (description != kNoObject && !others) {
      wanted.revents = static_cast<short>(
          ready_events(world(), current_thread(), part_for(wanted, description, known, i)));
    } else if (description == kNoObject) {
      program_syscall(SYS_poll, address_of(&wanted), 1, 0);
    }
    ready += wanted.revents != 0;
  }
  return ready;
}

bool has_timer(const OpPart* parts, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (kind_behind(world(), world().object(parts[i].object).description) == ObjectKind::Timer)
      return true;
  }
  return false;
}

}  // namespace

int poll_models(pollfd* fds, nfds_t count, int64_t timeout_ns, const sigset_t* mask, Call call,
                const OpPart* known) {
  Operation op{.kind = OpKind::Poll};
  OpPart* const parts = room_for_parts(static_cast<uint32_t>(count));
  uint32_t used = 0;
  for (nfds_t i = 0; i < count; ++i) {
    const ObjectId description = fds[i].fd < 0 ? kNoObject : pollable_description_of(fds[i].fd);
    if (description != kNoObject) parts[used++] = part_for(fds[i], description, known, i);
  }
  const bool may_expire = has_timer(parts, used);
  add_parts(op, used);
  if (timeout_ns == 0 || look_at(fds, count, true, known) > 0) {
    op.flags = kTry;
  } else if (timeout_ns != kForever) {
    op.flags = kTimed;
    op.deadline_ns = read_clock_ns() + timeout_ns;
  }
  if (may_expire) op.flags |= kMayExpire;
  if (is_other_mask(mask)) {
    op.flags |= kOwnMask;
    op.desired = static_cast<int64_t>(bits_of(*mask));
  }
  if (const int error = reach(op, call).error; error == EINTR) {
    errno = error;
    return -1;
  }
  return look_at(fds, count, false, known);
}

namespace {

// poll and select of nothing: a way to sleep. False: it is none.
bool sleeps(nfds_t count, int64_t timeout_ns, const sigset_t* mask, Call call, int& result) {
  const CallerState caller = mazurka_caller;
  if (count != 0 || (timeout_ns == 0 && !is_other_mask(mask))) return false;
  if (is_other_mask(mask) || timeout_ns == kForever) {
    result = poll_models(nullptr, 0, timeout_ns, mask, call);
  } else if (result = 0; pause_briefly(timeout_ns, caller, call)) {
    errno = EINTR;
    result = -1;
  }
  return true;
}

int wait_poll(pollfd* fds, nfds_t count, int64_t timeout_ns, const sigset_t* mask, Call call) {
  if (int result = 0; sleeps(count, timeout_ns, mask, call, result)) return result;
  if (have_models(fds, count)) return poll_models(fds, count, timeout_ns, mask, call);
  name_other_mask(mask, call);
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

constexpr short kSetEvents[3] = {POLLIN, POLLOUT, POLLPRI};

nfds_t descriptors_in(int limit, fd_set* const (&sets)[3], pollfd* fds) {
  nfds_t count = 0;
  for (int fd = 0; fd < limit; ++fd) {
    pollfd wanted{fd, 0, 0};
    for (int i = 0; i < 3; ++i) {
      if (sets[i] != nullptr && FD_ISSET(fd, sets[i]))
        wanted.events = static_cast<int16_t>(wanted.events | kSetEvents[i]);
    }
    if (wanted.events != 0) fds[count++] = wanted;
  }
  return count;
}

// An end or an error makes a descriptor readable or writable for select.
int store_ready(fd_set* const (&sets)[3], const pollfd* fds, nfds_t count) {
  constexpr short kMeans[3] = {POLLIN | POLLHUP | POLLERR, POLLOUT | POLLERR, POLLPRI};
  int ready = 0;
  for (nfds_t k = 0; k < count; ++k) {
    for (int i = 0; i < 3; ++i) {
      if (sets[i] == nullptr || !FD_ISSET(fds[k].fd, sets[i])) continue;
      if (fds[k].revents & kMeans[i]) {
        ++ready;
      } else {
        FD_CLR(fds[k].fd, sets[i]);
      }
    }
  }
  return ready;
}

int wait_select(int limit, fd_set* const (&sets)[3], int64_t timeout_ns, const sigset_t* mask,
                Call call) {
  if (limit < 0 || limit > FD_SETSIZE) {
    errno = EINVAL;
    return -1;
  }
  pollfd fds[FD_SETSIZE];
  const nfds_t asked = descriptors_in(limit, sets, fds);
  if (int result = 0; sleeps(asked, timeout_ns, mask, call, result)) return result;
  if (have_models(fds, asked)) {
    if (poll_models(fds, asked, timeout_ns, mask, call) < 0) return -1;
    return store_ready(sets, fds, asked);
  }
  name_other_mask(mask, call);
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

MAZURKA_INNER int mazurka_poll(pollfd* fds, nfds_t count, int timeout) {
  if (!attached()) return REAL(poll)(fds, count, timeout);
  return wait_poll(fds, count, timeout_of(timeout), nullptr, MAZURKA_HERE);
}

MAZURKA_INNER int mazurka___poll_chk(pollfd* fds, nfds_t count, int timeout, size_t size) {
  if (!attached()) return REAL(__poll_chk)(fds, count, timeout, size);
  return wait_poll(fds, count, timeout_of(timeout), nullptr, MAZURKA_HERE);
}

MAZURKA_INNER int mazurka_ppoll(pollfd* fds, nfds_t count, const timespec* timeout,
                                const sigset_t* mask) {
  if (!attached()) return REAL(ppoll)(fds, count, timeout, mask);
  return wait_poll(fds, count, timeout_of(timeout), mask, MAZURKA_HERE);
}

MAZURKA_INNER int mazurka___ppoll_chk(pollfd* fds, nfds_t count, const timespec* timeout,
                                      const sigset_t* mask, size_t size) {
  if (!attached()) return REAL(__ppoll_chk)(fds, count, timeout, mask, size);
  return wait_poll(fds, count, timeout_of(timeout), mask, MAZURKA_HERE);
}

MAZURKA_INNER int mazurka_select(int limit, fd_set* __restrict in, fd_set* __restrict out,
                                 fd_set* __restrict other, timeval* __restrict timeout) {
  if (!attached()) return REAL(select)(limit, in, out, other, timeout);
  const int64_t timeout_ns =
      timeout == nullptr ? kForever : timeout->tv_sec * 1'000'000'000 + timeout->tv_usec * 1'000;
  const int result = wait_select(limit, {in, out, other}, timeout_ns, nullptr, MAZURKA_HERE);
  if (result == 0 && timeout != nullptr) *timeout = {};  // Linux says how much is left
  return result;
}

MAZURKA_INNER int mazurka_pselect(int limit, fd_set* __restrict in, fd_set* __restrict out,
                                  fd_set* __restrict other, const timespec* __restrict timeout,
                                  const sigset_t* __restrict mask) {
  if (!attached()) return REAL(pselect)(limit, in, out, other, timeout, mask);
  return wait_select(limit, {in, out, other}, timeout_of(timeout), mask, MAZURKA_HERE);
}
