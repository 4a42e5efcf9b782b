// The trace whose children are looked for (optimal_children.h), with all that is known of it, and
// the event of it that is looked at now. What looks for children reads it: the shortcuts
// (optimal_shortcuts.h), the canonical test (optimal_canonical.h), the finding of heads
// (optimal_heads.h) and the making of tasks (optimal_task_maker.h).
#pragma once

#include <cstdint>
#include <vector>

#include "base/check.h"
#include "execution/execution.h"
#include "explore/trace/blockable_threads.h"
#include "explore/trace/happens_before.h"
#include "explore/trace/operation_masks.h"
#include "explore/trace/replica.h"

namespace mazurka {

// What a thread could do before the event instead of after it.
struct Reversal {
  enum class Kind : uint8_t {
    OtherOutcome,  // (O) the event's own operation, with another outcome
    Executed,      // (A) the thread's transition follows the event, with nothing between them
    Blocked,       // (B) the event disables the thread
  };
  Kind kind = Kind::OtherOutcome;
  uint32_t slot = 0;
  uint32_t count = 0;  // of the thread's events before the operation
};

struct OptimalTrace {
  const Plan* task = nullptr;
  HappensBefore order;
  OperationMasks masks;
  BlockableThreads blockable;
  Replica replica;
  std::vector<uint8_t> is_in_block;  // by event
  std::vector<uint32_t> heads;       // events

  uint32_t event = 0;        // e
  Configuration before;      // C: all that came before e; once it was caught up
  std::vector<size_t> open;  // blocks of the task that are open where e happens; the same

  // The execution of this plan: its blocks are read, and no event is looked at. Requires that the
  // order is that of the execution, and that it is as long as the plan's prefix.
  void begin(const Plan& its_task);

  // To what is known before the event; only where it is needed. Requires that the event is not
  // before the one of the last call.
  void catch_up() {
    if (reached_ != event) go_on();
  }

  // The event of the reversal's thread that happened after all; kNone if its operation is pending.
  uint32_t other_of(const Reversal& reversal) const {
    const bool happened = reversal.count < order.length(reversal.slot);
    return happened ? order.event(reversal.slot, reversal.count) : HappensBefore::kNone;
  }
  // Whether `i` may come before a reversed operation without e. `other` is what became of that.
  bool may_precede(uint32_t i, uint32_t other) const {
    return !order.is_before(event, i) &&
           (other == HappensBefore::kNone || !order.is_before(other, i));
  }
  // Whether the event and the transition depend on each other.
  bool depends(uint32_t i, const Label& label) const;
  // Where the first block begins that is open, or the event itself.
  uint32_t open_begin() const;

  // Whether f(i) is true for all events i of the set that come after the event, in their order.
  template <typename F>
  bool all_new(const Configuration& set, F&& f) const;
  // The same, with those from `begin` up to the event, which are all in the set.
  template <typename F>
  bool all_since(uint32_t begin, const Configuration& set, F&& f) const;

 private:
  void go_on();
  void close_blocks(uint32_t i);

  size_t next_block_ = 0;
  uint32_t reached_ = 0;  // the event that before, open and next_block_ are about
};

inline bool OptimalTrace::depends(uint32_t i, const Label& label) const {
  if (label.touches_everything || order.touches_everything(i) ||
      order.thread(order.slot(i)) == label.choice.thread) {
    return true;
  }
  return masks.accesses(i).may_conflict(label.mask) &&
         order.conflicts(i, label.accesses.data(), static_cast<uint32_t>(label.accesses.size()));
}

template <typename F>
bool OptimalTrace::all_new(const Configuration& set, F&& f) const {
  uint64_t left = 0;
  for (size_t s = 0; s < set.size(); ++s) left += set[s] - before[s];
  for (uint32_t i = event; left > 0; ++i) {
    if (!order.contains(set, i)) continue;
    if (!f(i)) return false;
    --left;
  }
  return true;
}

template <typename F>
bool OptimalTrace::all_since(uint32_t begin, const Configuration& set, F&& f) const {
  for (uint32_t i = begin; i < event; ++i) {
    if (!f(i)) return false;
  }
  return all_new(set, f);
}

}  // namespace mazurka
