#include "objects/world.h"

#include <cstring>

#include "objects/choices.h"
#include "objects/world_fixture.h"

namespace mazurka {
namespace {

using WorldTest = WorldFixture;

TEST_F(WorldTest, ANewThreadRunsAndHasTheTimeOfItsCreator) {
  for (int i = 0; i < 3; ++i) act(a, {.kind = OpKind::Toss});
  const ThreadId made{static_cast<uint16_t>(world.thread_limit)};
  world.create_thread(made, a, a);
  EXPECT_EQ(world.thread(made).status, ThreadStatus::Running);
  EXPECT_EQ(world.thread(made).clock_ns, 3000);
  EXPECT_EQ(world.thread(made).creator, a);
  EXPECT_EQ(world.thread(a).children, 3u);
  EXPECT_EQ(world.process(a).live_threads, 4);
}

TEST_F(WorldTest, AFirstThreadMakesItsProcess) {
  const ProcessId p = fork(b);
  EXPECT_TRUE(world.process(p).exists);
  EXPECT_EQ(world.process(p).parent, a);
  EXPECT_EQ(world.process(p).live_threads, 1);
  EXPECT_EQ(world.process(a).live_threads, 3);
}

TEST_F(WorldTest, ThreadsBetweenTheOnesInUseAreAbsentInZeroedMemory) {
  memset(static_cast<void*>(&world), 0, sizeof(World));
  world.create_thread(ThreadId{4}, kNoThread, ThreadId{4});
  for (uint16_t i = 0; i < 4; ++i) {
    EXPECT_EQ(world.threads[i].status, ThreadStatus::Absent);
    EXPECT_FALSE(world.waits_on(ThreadId{i}, ObjectId{0}));
  }
}

TEST_F(WorldTest, ObjectsStartWithTheStateOfTheirKind) {
  EXPECT_EQ(world.object(make(ObjectKind::Mutex)).mutex.owner, kNoThread);
  EXPECT_EQ(world.object(make(ObjectKind::Condition)).condition.mutex, kNoObject);
  EXPECT_FALSE(world.object(make(ObjectKind::RwLock)).rwlock.held());
  EXPECT_EQ(world.object(make(ObjectKind::Barrier)).barrier.count, 1u);
  EXPECT_EQ(world.object(make(ObjectKind::Semaphore)).semaphore.value, 0);
  EXPECT_EQ(world.object(make(ObjectKind::Named)).named.target, kNoObject);
  EXPECT_EQ(world.object(make(ObjectKind::Once)).once.runner, kNoThread);
}

TEST_F(WorldTest, ClearForgetsEverything) {
  const ObjectId m = make(ObjectKind::Mutex);
  act(a, {.kind = OpKind::MutexLock, .object = m});
  world.clear();
  EXPECT_EQ(world.moves, 0u);
  EXPECT_EQ(world.thread_limit, 0u);
  EXPECT_EQ(world.object(m).kind, ObjectKind::None);
  EXPECT_EQ(world.thread(a).status, ThreadStatus::Absent);
  EXPECT_FALSE(world.process(a).exists);
}

TEST_F(WorldTest, ApplyCountsTheTransitionAndLetsTheThreadRun) {
  act(a, {.kind = OpKind::Toss});
  EXPECT_EQ(world.moves, 1u);
  EXPECT_EQ(world.thread(a).transitions, 1u);
  EXPECT_EQ(world.thread(a).status, ThreadStatus::Running);
}

TEST_F(WorldTest, AThreadIsAloneOnceAllOthersEndedAndWereSeenToEnd) {
  EXPECT_FALSE(world.alone(a));
  stand_at_exit(world, b, 0);
  stand_at_exit(world, c, 0);
  EXPECT_FALSE(world.alone(a));
  act(a, {.kind = OpKind::Join, .target = b});
  EXPECT_FALSE(world.alone(a));
  act(a, {.kind = OpKind::Join, .target = c});
  EXPECT_TRUE(world.alone(a));
  const ProcessId p = fork(a);
  stand_at_exit(world, p, 0);
  EXPECT_FALSE(world.alone(a));
  act(a, {.kind = OpKind::WaitChild});
  EXPECT_TRUE(world.alone(a));
}

TEST_F(WorldTest, TossHasAnOutcomeForEachResult) {
  EXPECT_EQ(outcomes(a, {.kind = OpKind::Toss, .value = 2}), (std::vector<Outcome>{0, 1, 2}));
  EXPECT_EQ(act(a, {.kind = OpKind::Toss, .value = 2}, 1).value, 1);
  const Outcomes largest = enabled(world, a, {.kind = OpKind::Toss, .value = 65534});
  EXPECT_TRUE(has_outcome(world, largest, 65534));
  EXPECT_FALSE(has_outcome(world, largest, 65535));
}

TEST_F(WorldTest, AWaitForOthersLastsUntilAnotherThreadHasMoved) {
  const Operation wait{.kind = OpKind::WaitForOthers};
  EXPECT_FALSE(can(a, wait));
  act(b, {.kind = OpKind::Toss});
  EXPECT_TRUE(can(a, wait));
  act(a, wait);
  EXPECT_FALSE(can(a, wait));
}

TEST_F(WorldTest, WaitsForOthersAreCountedUntilAnotherOperation) {
  const Operation wait{.kind = OpKind::WaitForOthers};
  for (int i = 0; i < 3; ++i) apply(world, a, wait, kOnlyOutcome);
  EXPECT_EQ(world.thread(a).repeated_waits, 3);
  act(a, {.kind = OpKind::Toss});
  EXPECT_EQ(world.thread(a).repeated_waits, 0);
}

TEST_F(WorldTest, TimeFlowsThroughAMutexFromOneOwnerToTheNext) {
  const ObjectId m = make(ObjectKind::Mutex);
  for (int i = 0; i < 10; ++i) act(a, {.kind = OpKind::Toss});
  act(a, {.kind = OpKind::MutexLock, .object = m});
  act(a, {.kind = OpKind::MutexUnlock, .object = m});
  EXPECT_EQ(world.object(m).clock_ns, 12'000);
  act(b, {.kind = OpKind::MutexLock, .object = m});
  EXPECT_EQ(world.thread(b).clock_ns, 13'000);
  EXPECT_EQ(world.thread(c).clock_ns, 0);
}

TEST_F(WorldTest, AFailedTrySeesTimeButShowsNone) {
  const ObjectId m = make(ObjectKind::Mutex);
  act(a, {.kind = OpKind::MutexLock, .object = m});
  for (int i = 0; i < 10; ++i) act(b, {.kind = OpKind::Toss});
  act(b, {.kind = OpKind::MutexLock, .flags = kTry, .object = m});
  act(c, {.kind = OpKind::MutexLock, .flags = kTry, .object = m});
  EXPECT_EQ(world.thread(c).clock_ns, 2000);
}

TEST_F(WorldTest, ForkCopiesAPrivateMutexWithItsOwner) {
  const ObjectId m = make(ObjectKind::Mutex, a);
  const ObjectId copy{world.object_limit};
  world.object(m).mutex.robust = true;
  act(a, {.kind = OpKind::MutexLock, .object = m});
  const ProcessId p = fork(a);
  copy_for_fork(world, m, copy, a, p);
  EXPECT_EQ(world.object(copy).process, p);
  EXPECT_EQ(world.object(copy).mutex.owner, p);
  EXPECT_EQ(world.thread(p).robust_held, 1);
  EXPECT_EQ(act(p, {.kind = OpKind::MutexUnlock, .object = copy}).error, 0);
  EXPECT_EQ(world.object(m).mutex.owner, a);
}

TEST_F(WorldTest, ACopyWhoseOwnerStayedBehindIsLockedForEver) {
  const ObjectId m = make(ObjectKind::Mutex, a);
  world.object(m).mutex.robust = true;
  act(b, {.kind = OpKind::MutexLock, .object = m});
  const ProcessId p = fork(a);
  const ObjectId copy{world.object_limit};
  copy_for_fork(world, m, copy, a, p);
  act(b, {.kind = OpKind::ThreadExit});
  EXPECT_FALSE(world.object(m).mutex.locked());
  EXPECT_FALSE(can(p, {.kind = OpKind::MutexLock, .object = copy}));
}

TEST_F(WorldTest, ForkCopiesReadersWritersAndARunningOnce) {
  const ProcessId p = fork(a);
  const ObjectId l = make(ObjectKind::RwLock, a);
  const ObjectId o = make(ObjectKind::Once, a);
  act(a, {.kind = OpKind::ReadLock, .object = l});
  act(b, {.kind = OpKind::ReadLock, .object = l});
  act(b, {.kind = OpKind::OnceBegin, .object = o});
  const ObjectId copy{world.object_limit};
  copy_for_fork(world, l, copy, a, p);
  EXPECT_TRUE(world.object(copy).rwlock.reads(p));
  EXPECT_TRUE(world.object(copy).rwlock.reads(b));
  EXPECT_FALSE(world.object(copy).rwlock.reads(a));
  const ObjectId again{world.object_limit};
  copy_for_fork(world, o, again, a, p);
  EXPECT_EQ(world.object(again).once.state, Once::State::Fresh);
  const ObjectId same{world.object_limit};
  copy_for_fork(world, o, same, b, p);
  EXPECT_EQ(world.object(same).once.state, Once::State::Running);
  EXPECT_EQ(world.object(same).once.runner, p);
}

TEST_F(WorldTest, ThreadsThatWaitForOthersGoOnWhenNobodyElseCan) {
  for (ThreadId thread : {b, c}) stand_at_exit(world, thread, 0);
  world.thread(a).pending = {.kind = OpKind::WaitForOthers};
  int choices = 0;
  const auto count = [&](Choice) { return ++choices > 0; };
  each_choice(world, 0, count);
  EXPECT_EQ(choices, 1);
  world.thread(a).repeated_waits = kMaxIdleWaits;
  each_choice(world, 0, count);
  EXPECT_EQ(choices, 1);
  EXPECT_EQ(standstill(world, 0), Standstill::Deadlock);
}

TEST(Names, EveryOperationAndMisuseHasOne) {
  for (uint8_t i = 0; i < static_cast<uint8_t>(OpKind::kCount); ++i) {
    EXPECT_STRNE(name_of(static_cast<OpKind>(i)), "unknown operation") << int{i};
  }
  EXPECT_STREQ(name_of(OpKind::kCount), "unknown operation");
  for (uint8_t i = 0; i <= static_cast<uint8_t>(Misuse::Overflow); ++i) {
    EXPECT_STRNE(describe(static_cast<Misuse>(i)), "unknown misuse") << int{i};
  }
}

}  // namespace
}  // namespace mazurka
