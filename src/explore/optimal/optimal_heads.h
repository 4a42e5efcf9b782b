// Tries a reversal of the reverse search (optimal_children.h): after which sets of events the
// thread's operation can come before the trace's event, with which outcomes, and whether the trace
// is the parent of what comes of it. Replays on the models; what has come through is a child.
#pragma once

#include <set>
#include <vector>

#include "execution/stop.h"
#include "explore/optimal/optimal_canonical.h"
#include "explore/optimal/optimal_task_maker.h"
#include "explore/optimal/optimal_trace.h"

namespace mazurka {

class OptimalHeads {
 public:
  // Both must outlive it.
  OptimalHeads(OptimalTrace& trace, OptimalTaskMaker& children)
      : trace_(trace), children_(children), canonical_(trace) {}

  // The trace is another one. It is broken off when the stop (or null) is overdue.
  void begin(const Stop* stop) {
    has_tried_all_ = true;
    watch_ = StopWatch(stop);
  }
  bool is_broken_off() { return watch_.is_overdue(); }

  // Tries it after `start` and, in every combination, after what the operation may depend on
  // besides. Requires that the trace was caught up to its event, that all before the event is in
  // `start`, and that the event is not.
  void try_all(const Reversal& reversal, const Configuration& start);

  // False if there were too many sets to try.
  bool has_tried_all() const { return has_tried_all_; }

 private:
  bool can_have_heads(const Reversal& reversal) const;
  void add_larger(const Reversal& reversal, const Configuration& set);
  bool add_to_try(const Configuration& set, uint32_t event);
  void try_after(const Reversal& reversal, const Configuration& set);
  void find_heads(const Reversal& reversal, const Configuration& set);
  bool is_its_past(const Configuration& set, const Label& head);
  bool is_parent(const Reversal& reversal, const Configuration& set);

  OptimalTrace& trace_;
  OptimalTaskMaker& children_;
  CanonicalTest canonical_;
  bool has_tried_all_ = true;
  StopWatch watch_;
  Configuration set_;  // after which the operation is tried
  Configuration history_;
  Configuration with_event_;
  std::vector<Configuration> to_try_;
  std::set<Configuration> seen_;
  Label possible_;
  Label head_;
  std::vector<Choice> heads_;  // that were found after the set
};

}  // namespace mazurka
