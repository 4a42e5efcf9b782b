#include "runtime/time/pauses.h"

#include <cerrno>

#include "runtime/core/let_others_move.h"
#include "runtime/core/state.h"
#include "runtime/signals/signal_actions.h"

namespace mazurka {
namespace {

// Programs that pause a few times see time pass as they asked for.
constexpr uint32_t kPausesAsAsked = 8;
// A pause commutes with everything, so it need not be an operation. But a thread that pauses on and
// on must let others move.
constexpr uint32_t kUnseenPauses = 64;
constexpr int64_t kLongestYieldNs = 1'000;
constexpr int64_t kLongestPauseNs = 3'600'000'000'000;

// The pauses of a thread without another operation in between. Brent's way of finding a cycle: the
// state is compared with an earlier one, which is taken anew after 1, 2, 4, 8, ... pauses.
struct PauseTrail {
  uint32_t transitions;  // of the thread, after the last one
  uint32_t count;
  uint32_t unseen;  // of them, while there were others
  uint32_t since_reference;
  uint32_t next_reference;
  SpinState reference;
};
PauseTrail trails[kMaxThreads];

int64_t stretched(int64_t duration_ns, uint32_t repetitions) {
  for (uint32_t i = kPausesAsAsked; i < repetitions && duration_ns < kLongestPauseNs; ++i)
    duration_ns *= 2;
  return duration_ns;
}

// Whether the thread was in this state before, and did nothing but pause since.
bool comes_round(PauseTrail& trail, const SpinState& now, uint32_t transitions) {
  if (trail.count == 0 || trail.transitions != transitions) trail = {};
  const bool is_same = trail.count > 0 && now.pc == trail.reference.pc &&
                       now.stack == trail.reference.stack && now.hash == trail.reference.hash;
  if (trail.since_reference == trail.next_reference) {
    trail.reference = now;
    trail.next_reference = trail.next_reference == 0 ? 1 : 2 * trail.next_reference;
    trail.since_reference = 0;
  }
  ++trail.since_reference;
  ++trail.count;
  return is_same;
}

// Where there are handlers, a sleep is a wait for no signal at all, until it is time.
bool is_interrupted(int64_t duration_ns, Call call) {
  Operation op{.kind = OpKind::SignalWait, .flags = kTimed};
  op.deadline_ns = read_clock_ns() + duration_ns;
  return reach(op, call).error == EINTR;
}

}  // namespace

bool pause_briefly(int64_t duration_ns, const CallerState& caller, Call call) {
  const ThreadId me = current_thread();
  ThreadState& thread = world().thread(me);
  PauseTrail& trail = trails[index(me)];
  const SpinState now = spin_state(caller);
  bool interrupted = false;
  if (comes_round(trail, now, thread.transitions)) {
    let_others_move(call);
  } else if (handles_signals() && duration_ns > kLongestYieldNs) {
    interrupted = is_interrupted(duration_ns, call);
  } else if (handles_signals() || (!world().alone(me) && ++trail.unseen > kUnseenPauses)) {
    reach({.kind = OpKind::Pause, .value = duration_ns}, call);
  }
  trail.transitions = thread.transitions;
  if (!interrupted) advance_clock_to(thread.clock_ns + stretched(duration_ns, trail.count - 1));
  return interrupted;
}

}  // namespace mazurka
