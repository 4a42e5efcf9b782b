#include "explore/optimal_task.h"

namespace mazurka {

Plan OptimalTask::plan(const Limits& limits) const {
  Plan made;
  made.limits = limits;
  if (parent == nullptr) return made;
  made.prefix.assign(parent->steps.begin(), parent->steps.begin() + block.begin);
  made.prefix.insert(made.prefix.end(), steps.begin(), steps.end());
  for (const PlanBlock& kept : parent->blocks) {
    if (kept.end > block.begin) break;
    made.blocks.push_back(kept);
  }
  made.block_accesses.assign(parent->block_accesses.begin(),
                             parent->block_accesses.begin() + block.access_begin);
  made.blocks.push_back(block);
  made.block_accesses.insert(made.block_accesses.end(), accesses.begin(), accesses.end());
  made.forced = block.reversed;
  return made;
}

}  // namespace mazurka
