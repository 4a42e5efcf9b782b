#include "explore/optimal/optimal_task.h"

#include <algorithm>
#include <map>
#include <span>

namespace mazurka {
namespace {

size_t kept_blocks(const OptimalSchedule& parent, uint32_t begin) {
  size_t count = 0;
  while (count < parent.blocks.size() && parent.blocks[count].end <= begin) ++count;
  return count;
}

// The first `kept` of the parent's, and its own.
template <typename T, typename Own>
void write_both(const std::vector<T>& parents, size_t kept, const Own& own, std::vector<T>& out) {
  out.resize(kept + own.size());
  std::copy_n(parents.data(), kept, out.data());
  std::copy_n(own.data(), own.size(), out.data() + kept);
}

}  // namespace

bool OptimalTask::fits() const {
  return parent == nullptr || (block.begin + steps.size() <= kMaxSteps &&
                               block.access_begin + accesses.size() <= kMaxBlockAccesses &&
                               kept_blocks(*parent, block.begin) < kMaxBlocks);
}

void OptimalTask::write(Plan& out) const {
  out.sleep.clear();
  out.forced = block.reversed;
  out.conditional = out.stacks = out.show_output = false;
  if (parent == nullptr) {
    out.prefix.clear();
    out.blocks.clear();
    out.block_accesses.clear();
    return;
  }
  write_both(parent->steps, block.begin, steps, out.prefix);
  write_both(parent->blocks, kept_blocks(*parent, block.begin), std::span(&block, 1), out.blocks);
  write_both(parent->block_accesses, block.access_begin, accesses, out.block_accesses);
}

// Schedules are shared between tasks: each is saved once, and known by its number then; 0 is none.
void save_tasks(const std::vector<OptimalTask>& tasks, ByteWriter& out) {
  std::map<const OptimalSchedule*, uint64_t> numbers = {{nullptr, 0}};
  std::vector<const OptimalSchedule*> schedules;
  for (const OptimalTask& task : tasks) {
    if (numbers.try_emplace(task.parent.get(), numbers.size()).second)
      schedules.push_back(task.parent.get());
  }
  out.put(static_cast<uint64_t>(schedules.size()));
  for (const OptimalSchedule* schedule : schedules) {
    out.put_all(schedule->steps);
    out.put_all(schedule->blocks);
    out.put_all(schedule->block_accesses);
  }
  out.put(static_cast<uint64_t>(tasks.size()));
  for (const OptimalTask& task : tasks) {
    out.put(numbers.at(task.parent.get()));
    out.put_all(task.steps);
    out.put(task.block);
    out.put_all(task.accesses);
    out.put(task.weight);
  }
}

std::vector<OptimalTask> restore_tasks(ByteReader& in) {
  std::vector<std::shared_ptr<const OptimalSchedule>> schedules(1);
  for (uint64_t i = in.get_count(3 * sizeof(uint64_t)); i > 0; --i) {
    auto schedule = std::make_shared<OptimalSchedule>();
    schedule->steps = in.get_all<PlannedStep>();
    schedule->blocks = in.get_all<PlanBlock>();
    schedule->block_accesses = in.get_all<Access>();
    schedules.push_back(std::move(schedule));
  }
  std::vector<OptimalTask> tasks(in.get_count(sizeof(PlanBlock)));
  for (OptimalTask& task : tasks) {
    const auto parent = in.get<uint64_t>();
    task.steps = in.get_all<PlannedStep>();
    task.block = in.get<PlanBlock>();
    task.accesses = in.get_all<Access>();
    task.weight = in.get<double>();
    if (parent < schedules.size()) task.parent = schedules[parent];
    const bool fits =
        parent < schedules.size() &&
        (task.parent == nullptr || (task.block.begin <= task.parent->steps.size() &&
                                    task.block.access_begin <= task.parent->block_accesses.size()));
    if (!fits) in.fail();
  }
  if (!in.ok()) tasks.clear();
  return tasks;
}

}  // namespace mazurka
