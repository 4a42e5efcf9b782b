// The canonical test of the reverse search: each head must still be the best candidate of its
// block, the smallest thread of those that could have gone first. Without it a trace would have
// several parents.
#include <algorithm>

#include "explore/optimal/optimal_children.h"

namespace mazurka {

bool OptimalChildren::is_canonical(const Configuration& set, const Label& head) {
  if (open_.empty()) return true;
  const bool has_new = set != before_;
  bool has_history = false;
  for (size_t number : open_) {
    const PlanBlock& block = task_->blocks[number];
    const bool may_be_head =
        head.choice.thread < block.head && head.choice.thread != block.reversed;
    if (!has_new && !may_be_head) continue;
    AccessMask mask;  // of the step that it reversed
    for (uint32_t i = 0; i < block.access_count; ++i) {
      const Access& access = task_->block_accesses[block.access_begin + i];
      mask.add(access.resource, access.mode);
    }
    if (has_new && has_better(block, mask, set)) return false;
    if (!may_be_head || !head.mask.may_conflict(mask) ||
        !may_be_better(block, head.choice.thread, head.accesses))
      continue;
    if (!has_history) find_history(set, head);
    has_history = true;
    if (is_first_in(block, mask, set, head_history_)) return false;
  }
  return true;
}

// Whether the block's head is no longer the best, because of something in the set that came after
// the event.
bool OptimalChildren::has_better(const PlanBlock& block, const AccessMask& mask,
                                 const Configuration& set) {
  return !all_new(set, [&](uint32_t i) {
    if (!masks_.accesses(i).may_conflict(mask)) return true;
    const Transition& made = order_.transition(i);
    if (!may_be_better(block, made.choice.thread, made.accesses)) return true;
    history_.assign(order_.history(i), order_.history(i) + order_.stride());
    --history_[order_.slot(i)];
    return !is_first_in(block, mask, set, history_);
  });
}

// Of the head, as far as it is about the open blocks: nothing of a block happens before what came
// earlier.
void OptimalChildren::find_history(const Configuration& set, const Label& head) {
  uint32_t begin = event_;
  for (size_t number : open_) begin = std::min(begin, task_->blocks[number].begin);
  head_history_.assign(order_.stride(), 0);
  all_since(begin, set, [&](uint32_t i) {
    if (depends(i, head)) order_.add_history(head_history_, i);
    return true;
  });
}

bool OptimalChildren::may_be_better(const PlanBlock& block, ThreadId thread,
                                    const std::vector<Access>& accesses) const {
  if (thread >= block.head || thread == block.reversed) return false;
  return conflict(accesses.data(), static_cast<uint32_t>(accesses.size()),
                  task_->block_accesses.data() + block.access_begin, block.access_count);
}

// Whether nothing in the history, from the block on, depends on the step that the block reversed.
// Requires that the history is in the set.
bool OptimalChildren::is_first_in(const PlanBlock& block, const AccessMask& mask,
                                  const Configuration& set, const Configuration& history) const {
  const Access* reversed = task_->block_accesses.data() + block.access_begin;
  return all_since(block.begin, set, [&](uint32_t i) {
    if (!order_.contains(history, i)) return true;
    if (order_.touches_everything(i) || order_.digest(i).thread == block.reversed) return false;
    return !masks_.accesses(i).may_conflict(mask) ||
           !order_.conflicts(i, reversed, block.access_count);
  });
}

}  // namespace mazurka
