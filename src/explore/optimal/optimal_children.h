// The children of a trace in the reverse search (optimal_search.h): which executions differ from
// this one by one reversal, and have it as their only parent.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "execution/execution.h"
#include "explore/optimal/optimal_task.h"
#include "explore/trace/blockable_threads.h"
#include "explore/trace/common_prefix.h"
#include "explore/trace/happens_before.h"
#include "explore/trace/operation_masks.h"
#include "explore/trace/replica.h"

namespace mazurka {

class OptimalChildren {
 public:
  // `look_at_all` does without the shortcuts that pass over what cannot be reversed. It finds the
  // same children: for tests.
  explicit OptimalChildren(bool look_at_all = false) : look_at_all_(look_at_all) {}

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
  void forget() { next_ = nullptr; }

 private:
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

  void read(const Plan& task, const Execution& execution, const Execution* next);
  bool is_checked_to_its_end();
  void catch_up();
  void close_blocks(uint32_t event);
  void find_of_event();
  void find_among_all();
  void find_among_candidates();
  void find_other_outcomes();
  void find_executed(uint32_t slot, uint32_t count);
  void find_blocked(uint32_t slot, uint32_t count);

  // Shortcuts (optimal_shortcuts.cc): false if the event, or the reversal, has no child.
  bool may_be_reversed(uint32_t event) const;
  bool may_have_children(const Reversal& reversal);
  bool may_contain_last_head(const Reversal& reversal);
  bool may_depend_on_last_head(const Reversal& reversal);
  void look_after_last_head();
  bool may_follow_last_head(uint32_t slot, const AccessMask& after) const;
  bool is_better_head(const Reversal& reversal);
  const AccessMask& besides_event();

  // Tries it after `start` and, in every combination, after what the operation may depend on
  // besides.
  void try_all(const Reversal& reversal, const Configuration& start);
  bool may_precede(uint32_t event, uint32_t other) const;
  void try_after(const Reversal& reversal, const Configuration& set);
  void add_larger(const Reversal& reversal, const Configuration& set);
  bool add_to_try(const Configuration& set, uint32_t event);
  bool is_parent(const Reversal& reversal, const Configuration& set);
  void find_labels(const Reversal& reversal, const Configuration& set);

  bool is_its_past(const Configuration& set, const Label& head);
  bool is_canonical(const Configuration& set, const Label& head);
  bool has_better(const PlanBlock& block, const AccessMask& mask, const Configuration& set);
  void find_history(const Configuration& set, const Label& head);
  bool may_be_better(const PlanBlock& block, ThreadId thread,
                     const std::vector<Access>& accesses) const;
  // `mask` has the block's accesses.
  bool is_first_in(const PlanBlock& block, const AccessMask& mask, const Configuration& set,
                   const Configuration& history) const;
  // Whether f(i) is true for all events i of the set that come after the event, in their order.
  template <typename F>
  bool all_new(const Configuration& set, F&& f) const;
  // The same, with those from `begin` up to the event, which are all in the set.
  template <typename F>
  bool all_since(uint32_t begin, const Configuration& set, F&& f) const;
  bool can_have_heads(const Reversal& reversal) const;
  // The event of the reversal's thread that happened after all; kNone if its operation is pending.
  uint32_t other_of(const Reversal& reversal) const;
  std::shared_ptr<const OptimalSchedule> make_schedule();
  std::shared_ptr<OptimalSchedule> unused_schedule();
  bool depends(uint32_t event, const Label& label) const;
  void emit(const Configuration& set, Choice head, const Operation& op, ThreadId reversed);

  const Plan* task_ = nullptr;
  std::vector<OptimalTask>* out_ = nullptr;
  std::shared_ptr<const OptimalSchedule> schedule_;          // made with the first child
  std::vector<std::shared_ptr<OptimalSchedule>> schedules_;  // all that were made
  size_t next_schedule_ = 0;
  uint64_t found_ = 0;  // executions whose children were looked for
  const Execution* next_ = nullptr;
  uint32_t kept_for_next_ = 0;  // events
  HappensBefore order_;
  OperationMasks masks_;
  BlockableThreads blockable_;
  Replica replica_;
  bool look_at_all_ = false;
  bool looks_now_at_all_ = false;  // at this execution: also where signals are used
  bool all_dependent_ = false;
  bool all_ = true;  // of the children were found

  std::vector<uint8_t> is_in_block_;  // by event
  std::vector<uint32_t> heads_;       // events
  std::vector<size_t> open_;          // blocks of the task that are open where e happens
  size_t next_block_ = 0;
  uint32_t reached_ = 0;  // the event that before_, open_ and next_block_ are about
  // Those that the last head happens before, with itself; found when they are needed.
  std::vector<uint32_t> after_last_head_;
  SlotSet followers_;  // slots with operations that the last head, or what it happens before, may
                       // happen before

  uint32_t event_ = 0;                          // e
  Configuration before_;                        // C: all that came before e
  uint32_t besides_of_ = HappensBefore::kNone;  // the event that besides_ is about
  AccessMask besides_;  // what a head in place of e may depend on, from the first block on that is
                        // open there
  std::vector<uint64_t> candidates_;  // slots that may have an operation to reverse
  std::vector<uint64_t> executed_;    // slots of which e happens immediately before an event

  Configuration start_;
  Configuration set_;  // after which the operation is tried
  Configuration history_;
  Configuration head_history_;
  Configuration with_event_;
  std::vector<Configuration> to_try_;
  std::set<Configuration> seen_;
  Label possible_;
  Label head_;
  std::vector<Choice> heads_found_;
};

template <typename F>
bool OptimalChildren::all_new(const Configuration& set, F&& f) const {
  uint64_t left = 0;
  for (size_t s = 0; s < set.size(); ++s) left += set[s] - before_[s];
  for (uint32_t i = event_; left > 0; ++i) {
    if (!order_.contains(set, i)) continue;
    if (!f(i)) return false;
    --left;
  }
  return true;
}

template <typename F>
bool OptimalChildren::all_since(uint32_t begin, const Configuration& set, F&& f) const {
  for (uint32_t i = begin; i < event_; ++i) {
    if (!f(i)) return false;
  }
  return all_new(set, f);
}

}  // namespace mazurka
