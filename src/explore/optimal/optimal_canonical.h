// The canonical test of the reverse search: each head must still be the best candidate of its
// block, the smallest thread of those that could have gone first. Without it a trace would have
// several parents. The finding of heads (optimal_heads.h) asks it.
#pragma once

#include <vector>

#include "explore/optimal/optimal_trace.h"

namespace mazurka {

class CanonicalTest {
 public:
  // The trace must outlive it.
  explicit CanonicalTest(const OptimalTrace& trace) : trace_(trace) {}

  // Whether the heads of the open blocks stay the best if the event comes after the set and the
  // head. Requires that the trace was caught up to its event, and that all before it is in the set.
  bool passes(const Configuration& set, const Label& head);

 private:
  bool has_better(const PlanBlock& block, const AccessMask& mask, const Configuration& set);
  void find_history(const Configuration& set, const Label& head);
  bool may_be_better(const PlanBlock& block, ThreadId thread,
                     const std::vector<Access>& accesses) const;
  // `mask` has the block's accesses.
  bool is_first_in(const PlanBlock& block, const AccessMask& mask, const Configuration& set,
                   const Configuration& history) const;

  const OptimalTrace& trace_;
  Configuration history_;       // of an event
  Configuration head_history_;  // of the head
};

}  // namespace mazurka
