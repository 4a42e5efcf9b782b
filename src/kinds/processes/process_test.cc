#include "kinds/processes/process.h"

#include <errno.h>
#include <signal.h>

#include "objects/world_fixture.h"

namespace mazurka {
namespace {

class ProcessTest : public WorldFixture {
 protected:
  static Operation join(ThreadId target, uint8_t flags = 0, int64_t deadline_ns = 0) {
    return {.kind = OpKind::Join, .flags = flags, .target = target, .deadline_ns = deadline_ns};
  }
  static Operation wait_for(ThreadId target, uint8_t flags = 0) {
    return {.kind = OpKind::WaitChild, .flags = flags, .target = target};
  }
  static Operation end(OpKind kind, int64_t value = 0) { return {.kind = kind, .value = value}; }
  ObjectId make_robust(ProcessId process = kNoProcess) {
    const ObjectId m = make(ObjectKind::Mutex, process);
    world.object(m).mutex.robust = true;
    return m;
  }
};

TEST_F(ProcessTest, JoinIsEnabledOnceItsTargetStandsAtExit) {
  EXPECT_FALSE(can(a, join(b)));
  stand_at_exit(world, b, 0);
  EXPECT_EQ(act(a, join(b)).thread, b);
  EXPECT_TRUE(world.thread(b).joined);
}

TEST_F(ProcessTest, TryAndTimedJoinsFailWhileTheTargetRuns) {
  EXPECT_EQ(act(a, join(b, kTry)).error, EBUSY);
  EXPECT_EQ(act(a, join(b, kTimed, 7'000'000)).error, ETIMEDOUT);
  EXPECT_EQ(world.thread(a).clock_ns, 7'000'000);
  stand_at_exit(world, b, 0);
  EXPECT_EQ(act(a, join(b, kTry)).error, 0);
}

TEST_F(ProcessTest, AThreadCannotJoinItself) { EXPECT_EQ(act(a, join(a)).error, EDEADLK); }

TEST_F(ProcessTest, JoiningTwiceIsAMisuse) {
  stand_at_exit(world, b, 0);
  act(a, join(b));
  EXPECT_EQ(act(a, join(b)).misuse, Misuse::JoinTwice);
}

TEST_F(ProcessTest, JoiningADetachedThreadIsAMisuse) {
  world.thread(b).detached = true;
  EXPECT_EQ(act(a, join(b)).misuse, Misuse::JoinTwice);
}

TEST_F(ProcessTest, JoiningNoThreadIsAMisuse) {
  EXPECT_EQ(act(a, join(ThreadId{500})).misuse, Misuse::BadThread);
}

TEST_F(ProcessTest, JoinHasTheTimeOfItsTarget) {
  for (int i = 0; i < 10; ++i) act(b, {.kind = OpKind::Toss});
  stand_at_exit(world, b, 0);
  act(a, join(b));
  EXPECT_EQ(world.thread(a).clock_ns, 11'000);
}

TEST_F(ProcessTest, AProcessEndsWithItsLastThread) {
  stand_at_exit(world, a, 0x100);
  EXPECT_FALSE(world.process(a).ended);
  stand_at_exit(world, b, 0x200);
  stand_at_exit(world, c, 0x300);
  EXPECT_TRUE(world.process(a).ended);
  EXPECT_EQ(world.process(a).wait_status, 0x300);
  EXPECT_EQ(world.process(a).live_threads, 0);
}

TEST_F(ProcessTest, EndingAProcessTakesAllItsThreadsToExit) {
  const ProcessId p = fork(b);
  EXPECT_TRUE(process_end_is_noticed(world, b));
  act(b, end(OpKind::ProcessEnd, 0x700));
  EXPECT_TRUE(at_exit(a) && at_exit(b) && at_exit(c));
  EXPECT_FALSE(at_exit(p));
  EXPECT_EQ(world.process(a).wait_status, 0x700);
  EXPECT_FALSE(world.process(p).ended);
}

TEST_F(ProcessTest, CrashesAssertionsAndMisusesEndItWithASignal) {
  const ProcessId p = fork(a);
  act(p, end(OpKind::Crash, SIGSEGV));
  EXPECT_EQ(world.process(p).wait_status, SIGSEGV);
  const ProcessId q = fork(a);
  act(q, end(OpKind::Assertion));
  EXPECT_EQ(world.process(q).wait_status, SIGABRT);
  const ProcessId r = fork(a);
  act(r, end(OpKind::Misuse, static_cast<int64_t>(Misuse::BadThread)));
  EXPECT_EQ(world.process(r).wait_status, SIGABRT);
}

TEST_F(ProcessTest, AnOperationThatIsAMisuseEndsItToo) {
  const ProcessId p = fork(a);
  const Operation unlock{.kind = OpKind::MutexUnlock, .object = make(ObjectKind::Mutex)};
  EXPECT_EQ(act(p, unlock).misuse, Misuse::UnlockNotOwned);
  EXPECT_TRUE(at_exit(p));
  EXPECT_EQ(world.process(p).wait_status, SIGABRT);
  act(p, end(OpKind::Misuse));
  EXPECT_TRUE(at_exit(p));
  EXPECT_EQ(world.process(p).live_threads, 0);
}

TEST_F(ProcessTest, ExecEndsTheOtherThreadsOfItsProcess) {
  const ProcessId p = fork(a);
  act(b, {.kind = OpKind::Exec});
  EXPECT_TRUE(at_exit(a));
  EXPECT_FALSE(at_exit(b));
  EXPECT_TRUE(at_exit(c));
  EXPECT_FALSE(at_exit(p));
  EXPECT_FALSE(world.process(a).ended);
  EXPECT_EQ(world.process(a).live_threads, 1);
}

TEST_F(ProcessTest, TheEndOfAnOnlyThreadThatOwesNothingIsNotNoticed) {
  const ProcessId p = fork(a);
  EXPECT_FALSE(process_end_is_noticed(world, p));
  EXPECT_FALSE(thread_exit_is_noticed(world, p));
}

TEST_F(ProcessTest, TheExitOfAThreadWithARobustMutexIsNoticed) {
  const ObjectId m = make_robust(a);
  EXPECT_FALSE(thread_exit_is_noticed(world, b));
  act(b, {.kind = OpKind::MutexLock, .object = m});
  EXPECT_TRUE(thread_exit_is_noticed(world, b));
  act(b, end(OpKind::ThreadExit));
  EXPECT_TRUE(at_exit(b));
  EXPECT_TRUE(world.object(m).mutex.owner_dead);
  EXPECT_FALSE(world.object(m).mutex.locked());
}

TEST_F(ProcessTest, OnlySharedRobustMutexesMakeTheEndOfAProcessNoticed) {
  const ProcessId p = fork(a);
  act(p, {.kind = OpKind::MutexLock, .object = make_robust(p)});
  EXPECT_FALSE(process_end_is_noticed(world, p));
  const ObjectId shared = make_robust();
  act(p, {.kind = OpKind::MutexLock, .object = shared});
  EXPECT_TRUE(process_end_is_noticed(world, p));
  act(p, end(OpKind::ProcessEnd));
  EXPECT_EQ(act(a, {.kind = OpKind::MutexLock, .object = shared}).error, EOWNERDEAD);
}

TEST_F(ProcessTest, AMutexThatIsNotRobustStaysLockedAfterItsOwner) {
  const ObjectId m = make(ObjectKind::Mutex);
  act(b, {.kind = OpKind::MutexLock, .object = m});
  stand_at_exit(world, b, 0);
  EXPECT_FALSE(can(a, {.kind = OpKind::MutexLock, .object = m}));
}

TEST_F(ProcessTest, WaitIsEnabledOnceAChildHasEnded) {
  const ProcessId p = fork(a);
  EXPECT_FALSE(can(a, wait_for(kNoThread)));
  EXPECT_FALSE(can(b, wait_for(p)));
  act(p, end(OpKind::ProcessEnd, 0x300));
  const Effect effect = act(b, wait_for(p), outcome_of(p));
  EXPECT_EQ(effect.thread, p);
  EXPECT_EQ(effect.value, 0x300);
  EXPECT_TRUE(world.process(p).reaped);
  EXPECT_TRUE(world.thread(p).joined);
}

TEST_F(ProcessTest, TheOutcomesOfAWaitForAnyAreTheChildrenThatEnded) {
  const ProcessId p = fork(a);
  const ProcessId q = fork(b);
  const ProcessId grandchild = fork(p);
  const ProcessId r = fork(a);
  stand_at_exit(world, grandchild, 0);
  stand_at_exit(world, r, 0);
  stand_at_exit(world, p, 0);
  EXPECT_EQ(outcomes(a, wait_for(kNoThread)), (std::vector<Outcome>{outcome_of(p), outcome_of(r)}));
  EXPECT_FALSE(can(a, wait_for(q)));
  act(a, wait_for(kNoThread), outcome_of(r));
  EXPECT_EQ(outcomes(a, wait_for(kNoThread)), std::vector<Outcome>{outcome_of(p)});
}

TEST_F(ProcessTest, AWaitWithoutChildrenIsAnError) {
  EXPECT_EQ(act(a, wait_for(kNoThread), kNobody).error, ECHILD);
  const ProcessId p = fork(a);
  EXPECT_EQ(act(p, wait_for(a), kNobody).error, ECHILD);
  stand_at_exit(world, p, 0);
  act(a, wait_for(p), outcome_of(p));
  EXPECT_EQ(act(a, wait_for(p), kNobody).error, ECHILD);
  EXPECT_EQ(act(a, wait_for(kNoThread), kNobody).error, ECHILD);
}

TEST_F(ProcessTest, ATryingWaitReturnsNobodyWhileNoChildHasEnded) {
  const ProcessId p = fork(a);
  const Effect effect = act(a, wait_for(kNoThread, kTry), kNobody);
  EXPECT_EQ(effect.error, 0);
  EXPECT_EQ(effect.thread, kNoThread);
  stand_at_exit(world, p, 0);
  EXPECT_EQ(act(a, wait_for(kNoThread, kTry)).thread, p);
}

TEST_F(ProcessTest, AWaitHasTheTimeOfAllThreadsOfTheChild) {
  const ProcessId p = fork(a);
  const ThreadId second{static_cast<uint16_t>(world.thread_limit)};
  world.create_thread(second, p, p);
  for (int i = 0; i < 10; ++i) act(second, {.kind = OpKind::Toss});
  stand_at_exit(world, second, 0);
  stand_at_exit(world, p, 0);
  act(a, wait_for(p));
  EXPECT_EQ(world.thread(a).clock_ns, 11'000);
}

}  // namespace
}  // namespace mazurka
