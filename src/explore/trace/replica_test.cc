#include "explore/trace/replica.h"

#include <gtest/gtest.h>

#include "testing/scripts/scripted_program.h"

namespace mazurka {
namespace {

// An execution of a script of one thread, and its replica in the end.
struct Replayed {
  explicit Replayed(const Script& script) {
    ScriptedProgram program(script);
    EXPECT_TRUE(program.run({}, execution));
    order.read(execution);
    replica.read(order, 0);
    Configuration all;
    order.prefix(static_cast<uint32_t>(execution.transitions.size()), all);
    replica.go_to(all);
    EXPECT_TRUE(replica.is_faithful());
  }

  Execution execution;
  HappensBefore order;
  Replica replica;
};

// Adds to a semaphore, and to another one, so often.
Script additions(int times) {
  Script script;
  const ObjectId set = script.add({.kind = ObjectKind::SemSet});
  const ObjectId one = script.add({.kind = ObjectKind::Semaphore});
  const ObjectId other = script.add({.kind = ObjectKind::Semaphore});
  const Operation to_one =
      script.with_parts({.kind = OpKind::Semop, .object = set}, {semaphore_part(one, 1)});
  const Operation to_other =
      script.with_parts({.kind = OpKind::Semop, .object = set}, {semaphore_part(other, 1)});
  script.bodies.emplace_back();
  for (int i = 0; i < times; ++i) {
    script.bodies[0].push_back(operate(to_one));
    script.bodies[0].push_back(operate(to_other));
  }
  return script;
}

TEST(Replica, OperationsShareTheirPartsAsInTheProgram) {
  const Replayed replayed(additions(5));
  const World& world = replayed.replica.world();
  EXPECT_EQ(world.part_count, 2u);
  EXPECT_EQ(world.object(ObjectId{1}).semaphore.value, 5);
  EXPECT_EQ(world.object(ObjectId{2}).semaphore.value, 5);
}

TEST(Replica, PartsThatChangedInTheirPlaceAreOthers) {
  Script script = additions(1);
  ScriptedProgram program(script);
  Execution execution;
  ASSERT_TRUE(program.run({}, execution));
  execution.transitions[1].op.part_begin = execution.transitions[0].op.part_begin;
  HappensBefore order;
  order.read(execution);
  Replica replica;
  replica.read(order, 0);
  replica.go_to_prefix(2);
  Configuration all;
  order.prefix(2, all);
  replica.go_to(all);
  EXPECT_EQ(replica.world().object(ObjectId{1}).semaphore.value, 1);
  EXPECT_EQ(replica.world().object(ObjectId{2}).semaphore.value, 1);
}

TEST(Replica, WorldsOfAnEarlierOneAreEmpty) {
  { const Replayed large(additions(5)); }
  Script script;
  script.add({.kind = ObjectKind::Semaphore, .value = 3});
  script.bodies = {{operate({.kind = OpKind::SemWait, .object = ObjectId{0}})}};
  const Replayed small(script);
  const World& world = small.replica.world();
  EXPECT_EQ(world.object(ObjectId{0}).semaphore.value, 2);
  EXPECT_EQ(world.part_count, 0u);
  for (uint32_t i = 1; i < 3; ++i) EXPECT_EQ(world.objects[i].kind, ObjectKind::None);
}

}  // namespace
}  // namespace mazurka
