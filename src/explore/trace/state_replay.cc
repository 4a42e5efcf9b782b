#include "explore/trace/state_replay.h"

#include <algorithm>
#include <memory>

#include "base/check.h"
#include "explore/trace/logged_world.h"

namespace mazurka {
namespace {

World& world_of_this_thread() {
  thread_local std::unique_ptr<World> world;
  if (world == nullptr) world = std::make_unique<World>();
  return *world;
}

}  // namespace

void StateReplay::begin(const Execution& execution) {
  execution_ = &execution;
  position_ = 0;
  world_ = &world_of_this_thread();
  world_->clear();
  parts_.clear();
  for (const ThreadAtEnd& thread : execution.threads) {
    if (parts_.size() <= index(thread.id)) parts_.resize(index(thread.id) + 1u);
    parts_[index(thread.id)].at_end = &thread;
  }
  for (uint32_t i = 0; i < execution.transitions.size(); ++i) {
    const uint16_t thread = index(execution.transitions[i].choice.thread);
    if (parts_.size() <= thread) parts_.resize(thread + 1u);
    parts_[thread].steps.push_back(i);
  }
  take_over(execution.before);
}

void StateReplay::step() {
  MAZURKA_CHECK(position_ < execution_->transitions.size());
  const Transition& transition = execution_->transitions[position_++];
  const ThreadId thread = transition.choice.thread;
  const Operation op = world_->thread(thread).pending;
  apply(*world_, thread, op, transition.choice.outcome);
  ++parts_[index(thread)].next;
  take_over(transition.after);
  if (world_->thread(thread).status != ThreadStatus::AtExit) {
    stand(thread);
  } else {
    parts_[index(thread)].stands = false;
  }
}

void StateReplay::take_over(const Invisible& invisible) {
  create_threads(*world_, invisible.creations);
  for (const ObjectSetting& setting : invisible.settings) set_object(*world_, setting);
  for (const ThreadCreation& creation : invisible.creations) stand(creation.created);
  forget_invisible(*world_, invisible.creations);
}

void StateReplay::stand(ThreadId id) {
  if (parts_.size() <= index(id)) parts_.resize(index(id) + 1u);
  Part& part = parts_[index(id)];
  ThreadState& thread = world_->thread(id);
  part.stands = true;
  thread.status = ThreadStatus::AtOperation;
  if (part.next < part.steps.size()) {
    const Transition& next = execution_->transitions[part.steps[part.next]];
    thread.pending = with_parts(part, next.op, next.parts);
  } else if (part.at_end != nullptr && part.at_end->stands_before_operation()) {
    thread.pending = with_parts(part, part.at_end->pending, part.at_end->parts);
  } else {
    part.stands = false;
    thread.status = ThreadStatus::Running;
    stand_at_exit(*world_, id, 0);
  }
}

Operation StateReplay::with_parts(Part& part, Operation op, const std::vector<OpPart>& parts) {
  const auto count = static_cast<uint32_t>(parts.size());
  if (count > part.part_room) {
    MAZURKA_CHECK(world_->part_count + count <= kMaxParts);
    part.part_begin = world_->part_count;
    part.part_room = count;
    world_->part_count += count;
  }
  std::copy(parts.begin(), parts.end(), world_->parts + part.part_begin);
  op.part_begin = part.part_begin;
  op.part_count = count;
  return op;
}

const Operation* StateReplay::pending(ThreadId id) const {
  if (index(id) >= parts_.size() || !parts_[index(id)].stands) return nullptr;
  return &world_->thread(id).pending;
}

const Transition* StateReplay::next(ThreadId id) const {
  if (index(id) >= parts_.size()) return nullptr;
  const Part& part = parts_[index(id)];
  if (part.next >= part.steps.size()) return nullptr;
  return &execution_->transitions[part.steps[part.next]];
}

}  // namespace mazurka
