#include "runtime/core/let_others_move.h"

#include <cerrno>

#include "objects/choices.h"
#include "runtime/signals/signal_actions.h"

namespace mazurka {
namespace {

// Programs that pause a few times see time pass as they asked for.
constexpr int kPausesAsAsked = 8;
// Who yields a few times may do without: libstdc++ yields four times before it waits by futex.
constexpr int kFreeYields = 8;
constexpr int64_t kLongestYieldNs = 1'000;
constexpr int64_t kLongestPauseNs = 3'600'000'000'000;

ThreadState& me() { return world().thread(current_thread()); }

int64_t stretched(int64_t duration_ns, int repetitions) {
  for (int i = kPausesAsAsked; i < repetitions && duration_ns < kLongestPauseNs; ++i)
    duration_ns *= 2;
  return duration_ns;
}

void stand_at_yield(Call call) {
  me().waiting_since = world().moves;
  reach({.kind = OpKind::Yield}, call);
}

// Where there are handlers, even a first sleep is an operation: a wait for no signal at all, until
// it is time.
bool is_interrupted(int64_t duration_ns, Call call) {
  Operation op{.kind = OpKind::SignalWait, .flags = kTimed};
  op.deadline_ns = read_clock_ns() + duration_ns;
  return reach(op, call).error == EINTR;
}

}  // namespace

bool let_others_move(Call call) {
  const uint64_t moves = world().moves;
  stand_at_yield(call);
  constexpr uint64_t kOwn = 1;
  const bool moved = world().moves > moves + kOwn;
  if (moved) me().repeated_yields = 0;
  return moved;
}

void block_until_others_move(Call call) {
  me().repeated_yields = kMaxIdleYields;
  stand_at_yield(call);
  me().repeated_yields = 0;
}

void tried_in_vain() { --world().moves; }

bool pause_briefly(int64_t duration_ns, Call call) {
  ThreadState& thread = me();
  const int repetitions = thread.repeated_yields;
  if (repetitions == 0 && handles_signals()) {
    const bool interrupted = is_interrupted(duration_ns, call);
    if (!interrupted) thread.repeated_yields = 1;
    return interrupted;
  }
  // Alone there is nobody to wait for, and nothing to interleave with, but for a signal.
  const int free_pauses = duration_ns <= kLongestYieldNs ? kFreeYields : 1;
  if (repetitions < free_pauses || (world().alone(current_thread()) && !handles_signals())) {
    if (thread.repeated_yields < kMaxIdleYields) ++thread.repeated_yields;
  } else {
    stand_at_yield(call);  // counts the repetition
  }
  advance_clock_to(thread.clock_ns + stretched(duration_ns, repetitions));
  return false;
}

}  // namespace mazurka
