#include "kinds/sync/condition.h"

#include <errno.h>

#include "objects/world_fixture.h"

namespace mazurka {
namespace {

class ConditionTest : public WorldFixture {
 protected:
  Operation on_condition(OpKind kind) const { return {.kind = kind, .object = cv, .second = m}; }
  Operation lock() const { return {.kind = OpKind::MutexLock, .object = m}; }
  Operation unlock() const { return {.kind = OpKind::MutexUnlock, .object = m}; }
  void wait(ThreadId thread) {
    act(thread, lock());
    EXPECT_EQ(act(thread, on_condition(OpKind::CondWait)).error, 0);
  }

  const ObjectId cv = make(ObjectKind::Condition);
  const ObjectId m = make(ObjectKind::Mutex);
};

TEST_F(ConditionTest, WaitReleasesTheMutexAndJoinsTheWaiters) {
  wait(a);
  EXPECT_FALSE(world.object(m).mutex.locked());
  EXPECT_TRUE(world.waits_on(a, cv));
  EXPECT_FALSE(can(a, on_condition(OpKind::CondReacquire)));
}

TEST_F(ConditionTest, AWokenThreadGoesOnWhenTheMutexIsFree) {
  wait(a);
  act(b, lock());
  EXPECT_EQ(act(b, on_condition(OpKind::CondSignal), outcome_of(a)).thread, a);
  EXPECT_FALSE(can(a, on_condition(OpKind::CondReacquire)));
  act(b, unlock());
  EXPECT_EQ(act(a, on_condition(OpKind::CondReacquire)).error, 0);
  EXPECT_EQ(world.object(m).mutex.owner, a);
  EXPECT_EQ(world.thread(a).waiting_on, kNoObject);
}

TEST_F(ConditionTest, TheOutcomesOfASignalAreTheThreadsThatWait) {
  const Operation signal = on_condition(OpKind::CondSignal);
  EXPECT_EQ(outcomes(b, signal), std::vector<Outcome>{kNobody});
  wait(c);
  wait(a);
  EXPECT_EQ(outcomes(b, signal), (std::vector<Outcome>{outcome_of(a), outcome_of(c)}));
  const Effect effect = act(b, signal, outcome_of(c));
  EXPECT_EQ(effect.thread, c);
  EXPECT_EQ(effect.value, 1);
  EXPECT_TRUE(world.waits_on(a, cv));
  EXPECT_EQ(outcomes(b, signal), std::vector<Outcome>{outcome_of(a)});
}

TEST_F(ConditionTest, ASignalIsLostWhenNobodyWaits) {
  EXPECT_EQ(act(b, on_condition(OpKind::CondSignal), kNobody).thread, kNoThread);
  wait(a);
  EXPECT_FALSE(can(a, on_condition(OpKind::CondReacquire)));
}

TEST_F(ConditionTest, BroadcastWakesAllWaiters) {
  wait(a);
  wait(c);
  EXPECT_EQ(act(b, on_condition(OpKind::CondBroadcast)).value, 2);
  EXPECT_TRUE(can(a, on_condition(OpKind::CondReacquire)));
  EXPECT_TRUE(can(c, on_condition(OpKind::CondReacquire)));
  EXPECT_EQ(act(b, on_condition(OpKind::CondBroadcast)).value, 0);
}

TEST_F(ConditionTest, AWokenThreadHasTheWakersTime) {
  wait(a);
  for (int i = 0; i < 10; ++i) act(b, {.kind = OpKind::Toss});
  act(b, on_condition(OpKind::CondSignal));
  EXPECT_EQ(world.thread(b).clock_ns, 11'000);
  EXPECT_EQ(world.thread(a).clock_ns, 11'000);
}

TEST_F(ConditionTest, GoingOnDoesNotSeeWhatOthersDoToTheConditionMeanwhile) {
  wait(a);
  act(b, on_condition(OpKind::CondSignal));
  const int64_t woken_at = world.thread(a).clock_ns;
  for (int i = 0; i < 10; ++i) act(c, {.kind = OpKind::Toss});
  act(c, on_condition(OpKind::CondSignal));
  act(a, on_condition(OpKind::CondReacquire));
  EXPECT_EQ(world.thread(a).clock_ns, woken_at + 1000);
}

TEST_F(ConditionTest, ATimedWaitTimesOutWhileNobodySignals) {
  wait(a);
  Operation wake = on_condition(OpKind::CondWake);
  wake.deadline_ns = 9'000'000;
  EXPECT_EQ(outcomes(a, wake), std::vector<Outcome>{1});
  EXPECT_EQ(act(a, wake).error, ETIMEDOUT);
  EXPECT_EQ(world.thread(a).clock_ns, 9'000'000);
  EXPECT_EQ(outcomes(b, on_condition(OpKind::CondSignal)), std::vector<Outcome>{kNobody});
  EXPECT_FALSE(world.object(m).mutex.locked());
}

TEST_F(ConditionTest, ATimedWaitThatWasSignalledDoesNotTimeOut) {
  wait(a);
  act(b, on_condition(OpKind::CondSignal));
  EXPECT_EQ(outcomes(a, on_condition(OpKind::CondWake)), std::vector<Outcome>{0});
  EXPECT_EQ(act(a, on_condition(OpKind::CondWake)).error, 0);
  EXPECT_EQ(world.thread(a).waiting_on, kNoObject);
}

TEST_F(ConditionTest, WaitingWithoutTheMutexIsAMisuse) {
  EXPECT_EQ(act(a, on_condition(OpKind::CondWait)).misuse, Misuse::WaitNotOwned);
  EXPECT_FALSE(world.waits_on(a, cv));
}

TEST_F(ConditionTest, WaitingWithoutACheckedMutexIsAnError) {
  for (MutexType type : {MutexType::Recursive, MutexType::ErrorCheck}) {
    world.object(m).mutex.type = type;
    EXPECT_EQ(act(a, on_condition(OpKind::CondWait)).error, EPERM);
    EXPECT_FALSE(world.waits_on(a, cv));
  }
}

TEST_F(ConditionTest, WaitingReleasesOneLevelOfARecursiveMutex) {
  world.object(m).mutex.type = MutexType::Recursive;
  act(a, lock());
  wait(a);
  EXPECT_EQ(world.object(m).mutex.owner, a);
  EXPECT_FALSE(can(b, lock()));
  act(b, on_condition(OpKind::CondSignal));
  EXPECT_EQ(act(a, on_condition(OpKind::CondReacquire)).error, 0);
  EXPECT_EQ(world.object(m).mutex.depth, 2u);
}

TEST_F(ConditionTest, WaitingWithAnotherMutexThanTheOtherWaitersIsAMisuse) {
  wait(a);
  const ProcessId p = fork(a);
  const ObjectId other = make(ObjectKind::Mutex);
  act(p, {.kind = OpKind::MutexLock, .object = other});
  const Operation wait_with_other{.kind = OpKind::CondWait, .object = cv, .second = other};
  EXPECT_EQ(act(p, wait_with_other).misuse, Misuse::TwoMutexes);
}

TEST_F(ConditionTest, AnotherMutexIsFineOnceTheOtherWaitersAreWoken) {
  wait(a);
  act(b, on_condition(OpKind::CondSignal));
  const ObjectId other = make(ObjectKind::Mutex);
  act(b, {.kind = OpKind::MutexLock, .object = other});
  EXPECT_EQ(act(b, {.kind = OpKind::CondWait, .object = cv, .second = other}).misuse, Misuse::None);
}

TEST_F(ConditionTest, DestroyingAConditionWithWaitersIsAMisuse) {
  wait(a);
  const ProcessId p = fork(a);
  EXPECT_EQ(act(p, on_condition(OpKind::CondDestroy)).misuse, Misuse::DestroyBusy);
}

TEST_F(ConditionTest, AWokenThreadGoesOnThoughTheConditionIsDestroyed) {
  wait(a);
  act(b, on_condition(OpKind::CondSignal));
  EXPECT_EQ(act(b, on_condition(OpKind::CondDestroy)).misuse, Misuse::None);
  EXPECT_EQ(act(a, on_condition(OpKind::CondReacquire)).error, 0);
  EXPECT_EQ(act(b, on_condition(OpKind::CondSignal)).misuse, Misuse::Destroyed);
}

TEST_F(ConditionTest, GoingOnWithADestroyedMutexIsAMisuse) {
  wait(a);
  act(b, {.kind = OpKind::MutexDestroy, .object = m});
  EXPECT_FALSE(can(a, on_condition(OpKind::CondReacquire)));
  act(b, on_condition(OpKind::CondSignal));
  EXPECT_EQ(act(a, on_condition(OpKind::CondReacquire)).misuse, Misuse::Destroyed);
}

TEST_F(ConditionTest, GoingOnTellsOfADeadOwner) {
  world.object(m).mutex.robust = true;
  wait(a);
  act(b, on_condition(OpKind::CondSignal));
  act(c, lock());
  act(c, {.kind = OpKind::ThreadExit});
  EXPECT_EQ(act(a, on_condition(OpKind::CondReacquire)).error, EOWNERDEAD);
  EXPECT_EQ(world.object(m).mutex.owner, a);
}

TEST_F(ConditionTest, AThreadOfAnEndedProcessIsNoWaiterAnyMore) {
  const ProcessId p = fork(a);
  wait(p);
  end_process(world, p, 0);
  EXPECT_EQ(outcomes(b, on_condition(OpKind::CondSignal)), std::vector<Outcome>{kNobody});
}

}  // namespace
}  // namespace mazurka
