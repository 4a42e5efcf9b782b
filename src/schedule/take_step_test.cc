#include "schedule/take_step.h"

#include <memory>
#include <vector>

#include "objects/world_fixture.h"

namespace mazurka {
namespace {

// Keeps what the last step logged.
struct LastStep {
  explicit LastStep(const World& before) : world(before) {}

  const World& world;
  std::vector<Choice> listed;
  Choice choice;
  Operation op;
  Access items[kMaxStepAccesses];
  uint32_t access_count = 0;
  Effect effect;

  void begin_enabled() { listed.clear(); }
  void add_enabled(Choice enabled) { listed.push_back(enabled); }
  const Choice* enabled() const { return listed.data(); }
  uint32_t enabled_count() const { return static_cast<uint32_t>(listed.size()); }
  const Operation& add_choice(Choice chosen, bool) {
    choice = chosen;
    return op = world.thread(chosen.thread).pending;
  }
  AccessList accesses() { return {items, kMaxStepAccesses}; }
  void add_accesses(const AccessList& list) { access_count = list.count; }
  void before_effect(Choice) {}
  void add_effect(Choice, Effect its) { effect = its; }
};

class TakeStepTest : public WorldFixture {
 protected:
  TakeStepTest() {
    free_run->begin();
    rules.depth = 100;
    rules.lists_enabled = true;
    for (ThreadId thread : {a, b, c}) world.thread(thread).pending = {.kind = OpKind::Toss};
  }

  TakenStep take(uint32_t position = 0) {
    world.touched_count = world.created_count = 0;  // as after take_invisible
    return take_step(world, *free_run, rules, position, log);
  }
  TakenStep follow(const PlannedStep& planned) {
    prefix = {planned};
    rules.prefix = prefix.data();
    rules.prefix_length = 1;
    return take();
  }
  void end_all() {
    for (ThreadId thread : {b, c, a}) stand_at_exit(world, thread, 0);
  }
  void lock_each_other_out() {
    const ObjectId mutex = make(ObjectKind::Mutex);
    for (ThreadId thread : {a, b, c})
      world.thread(thread).pending = {.kind = OpKind::MutexLock, .object = mutex};
    world.object(mutex).mutex.owner = a;
  }

  const std::unique_ptr<FreeRun> free_run = std::make_unique<FreeRun>();
  std::vector<PlannedStep> prefix;
  StepRules rules;
  LastStep log{world};
};

TEST_F(TakeStepTest, AfterThePrefixTheFirstThreadThatIsEnabledMoves) {
  world.thread(a).pending = {.kind = OpKind::Join, .target = b};
  const TakenStep taken = take();
  EXPECT_EQ(taken.end, StepEnd::None);
  EXPECT_EQ(taken.thread, b);
  EXPECT_EQ(log.choice.thread, b);
  EXPECT_EQ(log.op.kind, OpKind::Toss);
  EXPECT_EQ(world.thread(b).status, ThreadStatus::Running);
}

TEST_F(TakeStepTest, ThePlanIsFollowed) {
  const TakenStep taken = follow({.choice = {c, 0}, .kind = OpKind::Toss});
  EXPECT_EQ(taken.end, StepEnd::None);
  EXPECT_EQ(taken.thread, c);
  EXPECT_TRUE(log.listed.empty());  // within the prefix nothing is listed
}

TEST_F(TakeStepTest, AnotherOperationThanThePlannedOneIsNondeterminism) {
  const TakenStep taken = follow({.choice = {c, 0}, .kind = OpKind::MutexLock});
  EXPECT_EQ(taken.end, StepEnd::Nondeterminism);
  EXPECT_EQ(taken.thread, c);
  EXPECT_EQ(came_instead(world, c).kind, OpKind::Toss);
}

TEST_F(TakeStepTest, AnotherObjectThanThePlannedOneIsNondeterminism) {
  const ObjectId mutex = make(ObjectKind::Mutex);
  const ObjectId other = make(ObjectKind::Mutex);
  world.thread(c).pending = {.kind = OpKind::MutexLock, .object = other};
  EXPECT_EQ(follow({.choice = {c, 0}, .kind = OpKind::MutexLock, .object = mutex}).end,
            StepEnd::Nondeterminism);
}

TEST_F(TakeStepTest, APlannedStepThatIsDisabledIsNondeterminism) {
  lock_each_other_out();
  EXPECT_EQ(follow({.choice = {b, 0}, .kind = OpKind::MutexLock}).end, StepEnd::Nondeterminism);
}

TEST_F(TakeStepTest, APlannedThreadThatIsNotThereIsNondeterminism) {
  const ThreadId nobody{7};
  const TakenStep taken = follow({.choice = {nobody, 0}, .kind = OpKind::Toss});
  EXPECT_EQ(taken.end, StepEnd::Nondeterminism);
  EXPECT_EQ(came_instead(world, nobody).kind, OpKind::None);
}

TEST_F(TakeStepTest, APlannedYieldWaitsForNobodyElse) {
  world.thread(c).pending = {.kind = OpKind::WaitForOthers};
  world.thread(c).waiting_since = world.moves;
  const PlannedStep waits = {.choice = {c, 0}, .kind = OpKind::WaitForOthers};
  EXPECT_EQ(follow(waits).end, StepEnd::Nondeterminism);  // others can move
  for (ThreadId thread : {a, b}) world.thread(thread).pending = {.kind = OpKind::Join, .target = c};
  EXPECT_EQ(follow(waits).end, StepEnd::None);
}

TEST_F(TakeStepTest, WhoMustGoFirstIsListedAlone) {
  const ObjectId mutex = make(ObjectKind::Mutex);
  world.object(mutex).mutex.owner = b;
  world.object(mutex).mutex.depth = 1;
  world.thread(b).pending = {.kind = OpKind::MutexUnlock, .object = mutex};
  free_run->invisible_first = true;
  EXPECT_EQ(take().thread, b);
  ASSERT_EQ(log.listed.size(), 1u);
  EXPECT_EQ(log.listed[0].thread, b);
}

TEST_F(TakeStepTest, WithOrWithoutAListTheSameThreadIsChosen) {
  world.thread(a).pending = {.kind = OpKind::Join, .target = b};
  rules.lists_enabled = false;
  EXPECT_EQ(take().thread, b);
  EXPECT_TRUE(log.listed.empty());
}

TEST_F(TakeStepTest, AStepIsLoggedWithTheAccessesOfItsModel) {
  const ObjectId mutex = make(ObjectKind::Mutex);
  world.thread(a).pending = {.kind = OpKind::MutexLock, .object = mutex};
  Access expected[kMaxStepAccesses];
  AccessList list{expected, kMaxStepAccesses};
  accesses(world, a, world.thread(a).pending, kOnlyOutcome, list);
  EXPECT_EQ(take().thread, a);
  ASSERT_EQ(log.access_count, list.count);
  for (uint32_t i = 0; i < list.count; ++i) {
    EXPECT_EQ(log.items[i].resource, expected[i].resource);
    EXPECT_EQ(log.items[i].mode, expected[i].mode);
  }
  EXPECT_EQ(world.object(mutex).mutex.owner, a);
}

TEST_F(TakeStepTest, AnExecutionEndsWhereNobodyCanMove) {
  lock_each_other_out();
  EXPECT_EQ(take().end, StepEnd::Deadlock);
  end_all();
  EXPECT_EQ(take().end, StepEnd::Finished);
}

TEST_F(TakeStepTest, AnExecutionEndsAtTheBoundOfAThread) {
  rules.bound = 1;
  for (ThreadId thread : {a, b, c}) world.thread(thread).transitions = 1;
  EXPECT_EQ(take().end, StepEnd::Bounded);
}

// So an execution that ends just there has ended well.
TEST_F(TakeStepTest, TheDepthIsReachedOnlyWhereSomebodyCouldMove) {
  rules.depth = 0;
  EXPECT_EQ(take().end, StepEnd::DepthReached);
  end_all();
  EXPECT_EQ(take().end, StepEnd::Finished);
}

TEST_F(TakeStepTest, WhereAllSleepTheExecutionIsBlocked) {
  world.thread(a).pending = {.kind = OpKind::Join, .target = b};
  world.thread(c).pending = {.kind = OpKind::Join, .target = b};
  const std::vector<Outcome> ways = outcomes(b, world.thread(b).pending);
  for (Outcome outcome : ways) free_run->sleep[free_run->sleep_count++] = {b, outcome};
  EXPECT_EQ(take().end, StepEnd::Blocked);
}

TEST_F(TakeStepTest, WhoIsDisabledForTooLongIsTheCulpritOfALivelock) {
  world.thread(b).pending = {.kind = OpKind::Join, .target = c};
  rules.livelock = 1;
  EXPECT_EQ(take().end, StepEnd::None);
  const TakenStep taken = take(1);
  EXPECT_EQ(taken.end, StepEnd::Livelock);
  EXPECT_EQ(taken.thread, b);
}

TEST_F(TakeStepTest, WhatInvisibleCodeDidIsTakenOnce) {
  struct Log {
    std::vector<ObjectId> settings;
    std::vector<ThreadId> creations;
    void add_setting(ObjectId id, const Object&) { settings.push_back(id); }
    void add_creation(ThreadId id, const ThreadState&, bool) { creations.push_back(id); }
  };
  const ObjectId mutex = make(ObjectKind::Mutex);
  Log first;
  take_invisible(world, *free_run, first);
  EXPECT_EQ(first.settings, std::vector{mutex});
  EXPECT_EQ(first.creations, (std::vector{a, b, c}));
  Log second;
  take_invisible(world, *free_run, second);
  EXPECT_TRUE(second.settings.empty() && second.creations.empty());
}

}  // namespace
}  // namespace mazurka
