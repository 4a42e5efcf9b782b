#include "explore/optimal_task.h"

namespace mazurka {
namespace {

size_t kept_blocks(const OptimalSchedule& parent, uint32_t begin) {
  size_t count = 0;
  while (count < parent.blocks.size() && parent.blocks[count].end <= begin) ++count;
  return count;
}

}  // namespace

bool OptimalTask::fits() const {
  return parent == nullptr ||
         (block.begin + steps.size() <= kMaxSteps && block.access_begin + accesses.size() <= kMaxBlockAccesses &&
          kept_blocks(*parent, block.begin) < kMaxBlocks);
}

void OptimalTask::write(Plan& out) const {
  out.prefix.clear();
  out.sleep.clear();
  out.blocks.clear();
  out.block_accesses.clear();
  out.forced = block.reversed;
  out.conditional = out.stacks = out.show_output = false;
  if (parent == nullptr) return;
  out.prefix.assign(parent->steps.begin(), parent->steps.begin() + block.begin);
  out.prefix.insert(out.prefix.end(), steps.begin(), steps.end());
  const size_t kept = kept_blocks(*parent, block.begin);
  out.blocks.assign(parent->blocks.begin(), parent->blocks.begin() + static_cast<std::ptrdiff_t>(kept));
  out.blocks.push_back(block);
  out.block_accesses.assign(parent->block_accesses.begin(), parent->block_accesses.begin() + block.access_begin);
  out.block_accesses.insert(out.block_accesses.end(), accesses.begin(), accesses.end());
}

}  // namespace mazurka
