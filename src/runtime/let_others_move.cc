#include "runtime/let_others_move.h"

#include "objects/choices.h"

namespace mazurka {
namespace {

// Programs that pause a few times see time pass as they asked for.
constexpr int kPausesAsAsked = 8;
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

void pause_briefly(int64_t duration_ns, Call call) {
  ThreadState& thread = me();
  const int repetitions = thread.repeated_yields;
  // Alone there is nobody to wait for, and nothing to interleave with.
  if (repetitions == 0 || world().alone(current_thread())) {
    if (thread.repeated_yields < kMaxIdleYields) ++thread.repeated_yields;
  } else {
    stand_at_yield(call);  // counts the repetition
  }
  advance_clock_to(thread.clock_ns + stretched(duration_ns, repetitions));
}

}  // namespace mazurka
