#include "program/execution.h"

#include <algorithm>

#include "base/check.h"

namespace mazurka {

bool can_carry(const Plan& plan) {
  return plan.prefix.size() <= kMaxSteps && plan.sleep.size() <= kMaxSleep && plan.blocks.size() <= kMaxBlocks &&
         plan.block_accesses.size() <= kMaxBlockAccesses;
}

void write_free_run(const Plan& plan, FreeRun& out) {
  MAZURKA_CHECK(can_carry(plan));
  out.forced = plan.forced;
  out.conditional = plan.conditional;
  out.sleep_count = static_cast<uint32_t>(plan.sleep.size());
  out.block_count = static_cast<uint32_t>(plan.blocks.size());
  out.block_access_count = static_cast<uint32_t>(plan.block_accesses.size());
  std::copy(plan.sleep.begin(), plan.sleep.end(), out.sleep);
  std::copy(plan.blocks.begin(), plan.blocks.end(), out.blocks);
  std::copy(plan.block_accesses.begin(), plan.block_accesses.end(), out.block_accesses);
}

void add_creations(Transition& transition) {
  for (const ThreadCreation& creation : transition.after.creations) {
    transition.accesses.push_back({{Resource::Kind::Thread, 0, 0, index(creation.created)}, Mode::Write, {}});
  }
}

void read_possible_accesses(const World& world, ThreadAtEnd& thread) {
  Access items[kMaxStepAccesses];
  AccessList list{items, kMaxStepAccesses};
  possible_accesses(world, thread.id, thread.pending, list);
  thread.possible_accesses.assign(items, items + list.count);
}

}  // namespace mazurka
