// What a person wants to know about a finding's schedule: which of its steps matter, which take the
// turn from a thread that could have gone on, what is ordered with what, and who waits for whom in
// the end. The reports draw it.
#pragma once

#include <utility>
#include <vector>

#include "explore/findings/findings.h"

namespace mazurka {

struct ExplainedStep {
  // It conflicts with what another thread did or stands before, or has an outcome that was chosen,
  // or takes the turn.
  bool matters = false;
  bool preempts = false;
};

// A thread that is blocked in the end, and those that hold what it waits for, or have not come to
// where it waits for them. None if nobody is to blame.
struct Wait {
  ThreadId thread = kNoThread;
  std::vector<ThreadId> holders;
};

struct Explanation {
  std::vector<ExplainedStep> steps;  // of the schedule
  // Happens-before between steps of different threads, as far as it does not follow from others.
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  std::vector<Wait> waits;      // of a deadlock
  std::vector<ThreadId> cycle;  // each waits for the next, and the last for the first; or empty
};

// Who holds what the thread's operation needs in this state, or has not come to where it waits for
// them.
std::vector<ThreadId> holders_of(const World& world, ThreadId thread, const Operation& op);
// Each waits for the next, and the last for the first; empty if there is none.
std::vector<ThreadId> cycle_in(const std::vector<Wait>& waits);

// Of a deadlock, only `waits` and `cycle`.
Explanation waits_of(const Finding& finding);

// `bound`: as in Limits. Where the execution was not what the models say, less is known.
Explanation explain(const Finding& finding, uint32_t bound);

}  // namespace mazurka
