// Calls that would block the only thread that runs, while whoever could wake it waits for the
// baton. They have no model: the thread tries again each time another has moved, and the real call
// happens only when it cannot block.
#pragma once

#include "runtime/core/let_others_move.h"

namespace mazurka {

// Who could end the wait at this descriptor.
enum class OtherSide : uint8_t {
  Nobody,   // it never waits for anyone: files, terminals
  Program,  // the program itself: pipes, local sockets, eventfds
  World,    // perhaps somebody else
};
OtherSide other_side(int fd);
bool is_nonblocking(int fd);
// Whether a call for these events (as poll has them) would return at once.
bool is_ready(int fd, short events);

// Returns when the call that needs these events cannot block any more. Whatever it returns then (an
// error, too) is the caller's business.
void await_ready(int fd, short events, Call call);

inline constexpr int64_t kForever = -1;

// How often we look, a millisecond apart, when nobody else in the program can move: the kernel
// takes its time for some things, the world outside takes more.
int looks(OtherSide other, int64_t timeout_ns);
void wait_a_millisecond();

template <typename Attempt>
bool look_for_a_while(int times, Attempt&& attempt) {
  for (int i = 0; i < times; ++i) {
    wait_a_millisecond();
    if (attempt()) return true;
  }
  return false;
}

// Calls `attempt` until it returns true. False: the timeout has passed. That is virtual time: it
// passes when nobody else can move.
template <typename Attempt>
bool try_until_done(OtherSide other, int64_t timeout_ns, Call call, Attempt&& attempt) {
  if (attempt()) return true;
  if (timeout_ns == 0) return false;
  for (;;) {
    const bool moved = let_others_move(call);
    if (attempt() || (!moved && look_for_a_while(looks(other, timeout_ns), attempt))) return true;
    if (!moved && timeout_ns != kForever) {
      advance_clock_to(read_clock_ns() + timeout_ns);
      return false;
    }
    tried_in_vain();
    if (moved) continue;
    block_until_others_move(call);
    if (attempt()) return true;
    tried_in_vain();
  }
}

}  // namespace mazurka
