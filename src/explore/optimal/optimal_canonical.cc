#include "explore/optimal/optimal_canonical.h"

namespace mazurka {

bool CanonicalTest::passes(const Configuration& set, const Label& head) {
  if (trace_.open.empty()) return true;
  const Plan& task = *trace_.task;
  const bool has_new = set != trace_.before;
  bool has_history = false;
  for (const size_t number : trace_.open) {
    const PlanBlock& block = task.blocks[number];
    const bool may_be_head =
        head.choice.thread < block.head && head.choice.thread != block.reversed;
    if (!has_new && !may_be_head) continue;
    AccessMask mask;  // of the step that it reversed
    for (uint32_t i = 0; i < block.access_count; ++i) {
      const Access& access = task.block_accesses[block.access_begin + i];
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
bool CanonicalTest::has_better(const PlanBlock& block, const AccessMask& mask,
                               const Configuration& set) {
  const HappensBefore& order = trace_.order;
  return !trace_.all_new(set, [&](uint32_t i) {
    if (!trace_.masks.accesses(i).may_conflict(mask)) return true;
    const Transition& made = order.transition(i);
    if (!may_be_better(block, made.choice.thread, made.accesses)) return true;
    history_.assign(order.history(i), order.history(i) + order.stride());
    --history_[order.slot(i)];
    return !is_first_in(block, mask, set, history_);
  });
}

// Of the head, as far as it is about the open blocks: nothing of a block happens before what came
// earlier.
void CanonicalTest::find_history(const Configuration& set, const Label& head) {
  head_history_.assign(trace_.order.stride(), 0);
  trace_.all_since(trace_.open_begin(), set, [&](uint32_t i) {
    if (trace_.depends(i, head)) trace_.order.add_history(head_history_, i);
    return true;
  });
}

bool CanonicalTest::may_be_better(const PlanBlock& block, ThreadId thread,
                                  const std::vector<Access>& accesses) const {
  if (thread >= block.head || thread == block.reversed) return false;
  return conflict(accesses.data(), static_cast<uint32_t>(accesses.size()),
                  trace_.task->block_accesses.data() + block.access_begin, block.access_count);
}

// Whether nothing in the history, from the block on, depends on the step that the block reversed.
// Requires that the history is in the set.
bool CanonicalTest::is_first_in(const PlanBlock& block, const AccessMask& mask,
                                const Configuration& set, const Configuration& history) const {
  const HappensBefore& order = trace_.order;
  const Access* reversed = trace_.task->block_accesses.data() + block.access_begin;
  return trace_.all_since(block.begin, set, [&](uint32_t i) {
    if (!order.contains(history, i)) return true;
    if (order.touches_everything(i) || order.digest(i).thread == block.reversed) return false;
    return !trace_.masks.accesses(i).may_conflict(mask) ||
           !order.conflicts(i, reversed, block.access_count);
  });
}

}  // namespace mazurka
