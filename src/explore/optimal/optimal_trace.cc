#include "explore/optimal/optimal_trace.h"

#include <algorithm>

namespace mazurka {

void OptimalTrace::begin(const Plan& its_task) {
  MAZURKA_CHECK(order.size() >= its_task.prefix.size());
  task = &its_task;
  is_in_block.assign(order.size(), 0);
  heads.clear();
  for (const PlanBlock& block : task->blocks) {
    for (uint32_t i = block.begin; i < block.end; ++i) is_in_block[i] = 1;
    heads.push_back(block.end - 1);
  }
  before.assign(order.stride(), 0);
  open.clear();
  next_block_ = 0;
  reached_ = 0;
}

// Blocks open and close as FreeRun::note has it.
void OptimalTrace::go_on() {
  MAZURKA_CHECK(reached_ < event);
  const std::vector<PlanBlock>& blocks = task->blocks;
  for (;; ++reached_) {
    for (; next_block_ < blocks.size() && blocks[next_block_].end <= reached_; ++next_block_) {
      if (blocks[next_block_].reversed != kNoThread) open.push_back(next_block_);
    }
    if (reached_ == event) return;
    before[order.slot(reached_)] = order.ordinal(reached_) + 1;
    if (!open.empty()) close_blocks(reached_);
  }
}

void OptimalTrace::close_blocks(uint32_t i) {
  const Transition& last = order.transition(i);
  std::erase_if(open, [&](size_t number) {
    const PlanBlock& block = task->blocks[number];
    return block.reversed == last.choice.thread &&
           covers(last.accesses.data(), static_cast<uint32_t>(last.accesses.size()),
                  task->block_accesses.data() + block.access_begin, block.access_count);
  });
}

uint32_t OptimalTrace::open_begin() const {
  uint32_t begin = event;
  for (const size_t number : open) begin = std::min(begin, task->blocks[number].begin);
  return begin;
}

}  // namespace mazurka
