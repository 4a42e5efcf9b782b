// The shortcuts of the reverse search: most pairs of an event and a thread are seen to have no
// child by looking at clocks and masks, without a replay. They never change what is found
// (optimal_children.h asks them): optimal_children_test compares with the search that looks at
// all.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/optimal/optimal_trace.h"

namespace mazurka {

class OptimalShortcuts {
 public:
  // The trace must outlive them.
  explicit OptimalShortcuts(OptimalTrace& trace) : trace_(trace) {}

  // The trace is another one. To be called before anything else is asked.
  void begin() {
    after_last_head_.clear();
    besides_of_ = HappensBefore::kNone;
  }

  // Whether it has another outcome, something follows it immediately, or it may disable somebody.
  // Of joins mostly nothing is true.
  bool may_be_reversed(uint32_t event) const {
    const Digest& digest = trace_.order.digest(event);
    return digest.may_have_outcomes || digest.ends_threads || trace_.order.has_successors(event) ||
           trace_.blockable.has_any(trace_.masks.disables(event));
  }

  // The reversals of the trace's event that may have children, in the order in which they are to
  // be tried; until the next call.
  const std::vector<Reversal>& reversals();

 private:
  void add(Reversal::Kind kind, uint32_t slot, uint32_t count);
  void add_of_candidates(uint32_t last_head);
  bool may_have_children(const Reversal& reversal);
  bool may_contain_last_head(const Reversal& reversal);
  bool may_depend_on_last_head(const Reversal& reversal);
  void look_after_last_head();
  bool may_follow_last_head(uint32_t slot, const AccessMask& after) const;
  bool is_better_head(const Reversal& reversal);
  const AccessMask& besides_event();

  OptimalTrace& trace_;
  std::vector<Reversal> reversals_;
  std::vector<uint64_t> candidates_;  // slots that may have an operation to reverse
  std::vector<uint64_t> executed_;    // slots of which the event happens immediately before one
  // Those that the last head happens before, with itself; found when they are needed.
  std::vector<uint32_t> after_last_head_;
  SlotSet followers_;  // slots with operations that the last head, or what it happens before, may
                       // happen before
  uint32_t besides_of_ = HappensBefore::kNone;  // the event that besides_ is about
  AccessMask besides_;  // what a head in place of the event may depend on, from the first block on
                        // that is open there
};

}  // namespace mazurka
