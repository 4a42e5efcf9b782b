// The canonical test of the reverse search: each head must still be the best candidate of its
// block, the smallest thread of those that could have gone first. Without it a trace would have
// several parents.
#include "explore/optimal_children.h"

namespace mazurka {

bool OptimalChildren::is_canonical(const Configuration& set, const Label& head) {
  for (size_t number : open_) {
    const PlanBlock& block = task_->blocks[number];
    AccessMask mask;  // of the step that it reversed
    for (uint32_t i = 0; i < block.access_count; ++i) {
      const Access& access = task_->block_accesses[block.access_begin + i];
      mask.add(access.resource, access.mode);
    }
    const bool good = all_new(set, [&](uint32_t i) {
      if (!masks_.accesses(i).may_conflict(mask)) return true;
      const Transition& made = order_.transition(i);
      if (!may_be_better(block, made.choice.thread, made.accesses)) return true;
      history_.assign(order_.history(i), order_.history(i) + order_.stride());
      --history_[order_.slot(i)];
      return !is_first_in(block, mask, set, history_);
    });
    if (!good) return false;
    if (!head.mask.may_conflict(mask) || !may_be_better(block, head.choice.thread, head.accesses))
      continue;
    history_.assign(order_.stride(), 0);
    all_since(block.begin, set, [&](uint32_t i) {  // nothing of the block happens before what came earlier
      if (depends(i, head)) order_.add_history(history_, i);
      return true;
    });
    if (is_first_in(block, mask, set, history_)) return false;
  }
  return true;
}

bool OptimalChildren::may_be_better(const PlanBlock& block, ThreadId thread,
                                    const std::vector<Access>& accesses) const {
  if (thread >= block.head || thread == block.reversed) return false;
  return conflict(accesses.data(), static_cast<uint32_t>(accesses.size()),
                  task_->block_accesses.data() + block.access_begin, block.access_count);
}

// Whether nothing in the history, from the block on, depends on the step that the block reversed. Requires that the history is in
// the set.
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
