// The short way of frequent operations leads where the way of all others does: in all states of
// small worlds.
#include "objects/frequent.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <set>
#include <string>

#include "objects/world_fixture.h"
#include "testing/worlds/small_world.h"

namespace mazurka {
namespace {

template <typename T>
std::string bytes(const T* items, uint32_t count) {
  return {reinterpret_cast<const char*>(items), count * sizeof(T)};
}

// All that an operation may change.
std::string bytes_of(const World& world) {
  return bytes(&world.moves, 1) + bytes(world.threads, world.thread_limit) +
         bytes(world.processes, world.thread_limit) + bytes(world.objects, world.object_limit);
}

std::vector<Outcome> outcomes(const World& world, const Outcomes& enabled) {
  std::vector<Outcome> found;
  each_outcome(world, enabled, [&](Outcome outcome) {
    found.push_back(outcome);
    return true;
  });
  return found;
}

class Comparison {
 public:
  void compare(const SmallWorldCase& chosen) {
    SmallWorld world(chosen);
    std::set<SmallWorld::View> seen{world.key()};
    std::deque<SmallWorld::Saved> open{world.save()};
    for (; !open.empty(); open.pop_front()) {
      compare(world, open.front());
      world.load(open.front());
      for (const Label& label : world.enabled_labels()) {
        world.load(open.front());
        world.take(label);
        if (!world.is_far() && seen.insert(world.key()).second) open.push_back(world.save());
      }
    }
  }

  std::map<Frequent, int> compared;

 private:
  void compare(SmallWorld& small, const SmallWorld::Saved& state) {
    for (uint32_t i = 0; i < state.threads.size(); ++i) {
      small.load(state);
      if (small.world().threads[i].status != ThreadStatus::AtOperation) continue;
      for (const MenuItem& item : small.items(ThreadId(i)))
        compare(small, state, ThreadId(i), item);
    }
  }

  void compare(SmallWorld& small, const SmallWorld::Saved& state, ThreadId thread,
               const MenuItem& item) {
    small.load(state);
    World& world = small.world();
    EXPECT_EQ(outcomes(world, enabled_soon(world, thread, item.op)), small.outcomes(thread, item))
        << item.name;
    if (small.outcomes(thread, item).empty()) return;
    const Frequent frequent = frequent_step(world, thread, item.op);
    if (frequent == Frequent::No) return;
    ++compared[frequent];
    EXPECT_EQ(small.outcomes(thread, item), std::vector<Outcome>{kOnlyOutcome}) << item.name;

    Access room[2][16];
    AccessList wanted{room[0], 16};
    AccessList got{room[1], 16};
    accesses(world, thread, item.op, kOnlyOutcome, wanted);
    frequent_accesses(world, frequent, thread, item.op, got);
    EXPECT_EQ(bytes(wanted.items, wanted.count), bytes(got.items, got.count)) << item.name;

    const Effect effect = apply(world, thread, item.op, kOnlyOutcome);
    const std::string after = bytes_of(world);
    small.load(state);
    EXPECT_TRUE(same(effect, frequent_apply(world, frequent, thread, item.op))) << item.name;
    EXPECT_EQ(after, bytes_of(world)) << item.name;
    EXPECT_EQ(effect.misuse, Misuse::None) << item.name;
  }
};

TEST(Frequent, IsAsTheModelsSayInEveryState) {
  Comparison comparison;
  for (const SmallWorldCase& chosen : small_world_cases()) comparison.compare(chosen);
  EXPECT_GT(comparison.compared[Frequent::Variable], 100);
  EXPECT_GT(comparison.compared[Frequent::Join], 100);
  EXPECT_GT(comparison.compared[Frequent::Lock], 1000);
  EXPECT_GT(comparison.compared[Frequent::Unlock], 1000);
}

class FrequentTest : public WorldFixture {};

TEST_F(FrequentTest, OperationsAreLeftToTheModelsWhereSignalsArePending) {
  const Operation lock{.kind = OpKind::MutexLock, .object = make(ObjectKind::Mutex)};
  EXPECT_EQ(frequent_step(world, a, lock), Frequent::Lock);
  world.signal_count = 1;
  EXPECT_EQ(frequent_step(world, a, lock), Frequent::No);
}

TEST_F(FrequentTest, SoAreMisuses) {
  const Operation unlock{.kind = OpKind::MutexUnlock, .object = make(ObjectKind::Mutex)};
  EXPECT_EQ(frequent_step(world, a, unlock), Frequent::No);
  const Operation load{.kind = OpKind::VarLoad, .object = make(ObjectKind::Mutex)};
  EXPECT_EQ(frequent_step(world, a, load), Frequent::No);
}

}  // namespace
}  // namespace mazurka
