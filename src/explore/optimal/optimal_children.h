// The children of a trace in the reverse search (optimal_search.h): which executions differ from
// this one by one reversal, and have it as their only parent. It goes through the events; which
// reversals of one are worth a try the shortcuts say (optimal_shortcuts.h), and what comes of a try
// is optimal_heads.h's.
#pragma once

#include <cstdint>
#include <vector>

#include "execution/execution.h"
#include "explore/optimal/optimal_heads.h"
#include "explore/optimal/optimal_shortcuts.h"
#include "explore/optimal/optimal_task.h"
#include "explore/optimal/optimal_task_maker.h"
#include "explore/optimal/optimal_trace.h"

namespace mazurka {

class OptimalChildren {
 public:
  // `look_at_all` does without the shortcuts that pass over what cannot be reversed. It finds the
  // same children: for tests.
  explicit OptimalChildren(bool look_at_all = false) : look_at_all_(look_at_all) {}
  OptimalChildren(const OptimalChildren&) = delete;  // its parts know its trace
  OptimalChildren& operator=(const OptimalChildren&) = delete;

  // From now on any two transitions count as dependent: every interleaving is a trace.
  void make_all_dependent() { all_dependent_ = true; }
  bool all_dependent() const { return all_dependent_; }

  // Appends the children. Requires that the execution of the plan `task` got through its
  // prefix. False if they are not known to be all: the execution is not what the models say, or
  // there are too many ways to try. `next`: if the next call is about this execution, both are as
  // they are now until it ends, and what they have in common is looked at only once (or else
  // `forget` comes before it).
  bool find(const Plan& task, const Execution& execution, std::vector<OptimalTask>& out,
            const Execution* next = nullptr);
  // From now on looking for children is broken off when this is overdue; null: never.
  void stop_by(const Stop* stop) { stop_ = stop; }
  // Whether the last look was: what it found says nothing then.
  bool is_broken_off() { return heads_.is_broken_off(); }
  void forget() { next_ = nullptr; }

 private:
  void read(const Plan& task, const Execution& execution, const Execution* next);
  bool is_checked_to_its_end();
  const std::vector<Reversal>& all_reversals();
  void try_reversal(const Reversal& reversal);
  void try_executed(const Reversal& reversal);
  void try_blocked(const Reversal& reversal);

  OptimalTrace trace_;
  OptimalShortcuts shortcuts_{trace_};
  OptimalTaskMaker task_maker_{trace_};
  OptimalHeads heads_{trace_, task_maker_};

  uint64_t found_ = 0;  // executions whose children were looked for
  const Execution* next_ = nullptr;
  uint32_t kept_for_next_ = 0;  // events
  const Stop* stop_ = nullptr;
  const bool look_at_all_;
  bool looks_now_at_all_ = false;  // at this execution: also where signals are used
  bool all_dependent_ = false;
  std::vector<Reversal> reversals_;  // without the shortcuts
  Configuration start_;
};

}  // namespace mazurka
