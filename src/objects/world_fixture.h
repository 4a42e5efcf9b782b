// For the tests of the models: three threads of one process, and operations on objects that a test
// makes.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "objects/world.h"

namespace mazurka {

class WorldFixture : public testing::Test {
 protected:
  WorldFixture() {
    world.clear();
    world.create_thread(a, kNoThread, a);
    world.create_thread(b, a, a);
    world.create_thread(c, a, a);
    for (ThreadId thread : {a, b, c}) world.thread(thread).status = ThreadStatus::AtOperation;
  }

  ObjectId make(ObjectKind kind, ProcessId process = kNoProcess) {
    const ObjectId id{world.object_limit};
    world.create_object(id, kind, process);
    return id;
  }

  // A process with one thread, forked by `parent`.
  ProcessId fork(ThreadId parent) {
    const ThreadId id{static_cast<uint16_t>(world.thread_limit)};
    world.create_thread(id, parent, id);
    world.thread(id).status = ThreadStatus::AtOperation;
    return id;
  }

  bool can(ThreadId thread, const Operation& op) const { return enabled(world, thread, op).any(); }

  std::vector<Outcome> outcomes(ThreadId thread, const Operation& op) const {
    std::vector<Outcome> found;
    each_outcome(world, enabled(world, thread, op), [&](Outcome outcome) {
      found.push_back(outcome);
      return true;
    });
    return found;
  }

  // Does an operation that is enabled with exactly one outcome.
  Effect act(ThreadId thread, const Operation& op) {
    const std::vector<Outcome> possible = outcomes(thread, op);
    EXPECT_EQ(possible.size(), 1u) << name_of(op.kind);
    if (possible.size() != 1) return {.error = -1};
    return apply(world, thread, op, possible[0]);
  }

  Effect act(ThreadId thread, const Operation& op, Outcome outcome) {
    const bool possible = has_outcome(world, enabled(world, thread, op), outcome);
    EXPECT_TRUE(possible) << name_of(op.kind) << " outcome " << outcome;
    if (!possible) return {.error = -1};
    return apply(world, thread, op, outcome);
  }

  bool at_exit(ThreadId thread) const {
    return world.thread(thread).status == ThreadStatus::AtExit;
  }

  static World& shared_world() {
    static const std::unique_ptr<World> shared = std::make_unique<World>();
    return *shared;
  }

  World& world = shared_world();
  const ThreadId a{0};
  const ThreadId b{1};
  const ThreadId c{2};
};

}  // namespace mazurka
