#include "explore/optimal/optimal_task_maker.h"

#include <atomic>

namespace mazurka {
namespace {

// Field by field in its place: the processor would wait for the parts of a copy before it copies
// across them.
template <typename Steps>
void add_step(const Choice& choice, const Operation& op, Steps& steps) {
  PlannedStep& step = steps.emplace_back();
  step.choice = choice;
  step.kind = op.kind;
  step.object = op.object;
}

}  // namespace

// The execution did what its plan says, as far as that went.
std::shared_ptr<const OptimalSchedule> OptimalTaskMaker::make_schedule() {
  const HappensBefore& order = trace_.order;
  const Plan& task = *trace_.task;
  std::shared_ptr<OptimalSchedule> made = unused_schedule();
  made->steps.reserve(order.size());
  made->steps.assign(task.prefix.begin(), task.prefix.end());
  for (auto i = static_cast<uint32_t>(made->steps.size()); i < order.size(); ++i) {
    add_step(order.transition(i).choice, order.transition(i).op, made->steps);
  }
  made->blocks = task.blocks;
  made->block_accesses = task.block_accesses;
  return made;
}

// One that no task needs any more. If half of them are in use, a new one: so there are never more
// than twice as many as were needed at once, and the walk is short on average.
std::shared_ptr<OptimalSchedule> OptimalTaskMaker::unused_schedule() {
  for (size_t tried = 0; tried < schedules_.size() / 2 + 1 && !schedules_.empty(); ++tried) {
    next_schedule_ = (next_schedule_ + 1) % schedules_.size();
    if (schedules_[next_schedule_].use_count() > 1) continue;
    std::atomic_thread_fence(std::memory_order_acquire);  // another worker may have read it last
    return schedules_[next_schedule_];
  }
  return schedules_.emplace_back(std::make_shared<OptimalSchedule>());
}

void OptimalTaskMaker::add(const Configuration& set, Choice head, const Operation& op,
                           ThreadId reversed) {
  MAZURKA_CHECK(out_ != nullptr);
  const HappensBefore& order = trace_.order;
  const uint32_t event = trace_.event;
  if (schedule_ == nullptr) schedule_ = make_schedule();
  OptimalTask child;
  child.parent = schedule_;
  trace_.all_new(set, [&](uint32_t i) {
    add_step(order.transition(i).choice, order.transition(i).op, child.steps);
    return true;
  });
  add_step(head, op, child.steps);
  uint32_t kept = 0;
  for (const PlanBlock& block : trace_.task->blocks) {
    if (block.end > event) break;
    kept = block.access_begin + block.access_count;
  }
  child.accesses = order.transition(event).accesses;
  child.block = {event, event + static_cast<uint32_t>(child.steps.size()), reversed, head.thread,
                 kept,  static_cast<uint32_t>(child.accesses.size())};
  out_->push_back(std::move(child));
}

}  // namespace mazurka
