#include "kinds/sync/mutex.h"

#include <errno.h>

#include "objects/world_fixture.h"

namespace mazurka {
namespace {

class MutexTest : public WorldFixture {
 protected:
  ObjectId make_mutex(MutexType type = MutexType::Normal, bool robust = false) {
    const ObjectId id = make(ObjectKind::Mutex);
    world.object(id).mutex.type = type;
    world.object(id).mutex.robust = robust;
    return id;
  }
  // A robust mutex whose owner, thread c, has ended.
  ObjectId make_orphan() {
    const ObjectId id = make_mutex(MutexType::Normal, true);
    act(c, lock(id));
    act(c, {.kind = OpKind::ThreadExit});
    return id;
  }
  const Mutex& mutex(ObjectId id) const { return world.object(id).mutex; }

  static Operation lock(ObjectId id) { return {.kind = OpKind::MutexLock, .object = id}; }
  static Operation try_lock(ObjectId id) {
    return {.kind = OpKind::MutexLock, .flags = kTry, .object = id};
  }
  static Operation timed_lock(ObjectId id, int64_t deadline_ns = 0) {
    return {.kind = OpKind::MutexLock, .flags = kTimed, .object = id, .deadline_ns = deadline_ns};
  }
  static Operation unlock(ObjectId id) { return {.kind = OpKind::MutexUnlock, .object = id}; }
  static Operation destroy(ObjectId id) { return {.kind = OpKind::MutexDestroy, .object = id}; }
  static Operation repair(ObjectId id) { return {.kind = OpKind::MutexConsistent, .object = id}; }
};

TEST_F(MutexTest, LockIsDisabledWhileAnotherThreadOwnsIt) {
  const ObjectId m = make_mutex();
  EXPECT_EQ(act(a, lock(m)).error, 0);
  EXPECT_EQ(mutex(m).owner, a);
  EXPECT_FALSE(can(b, lock(m)));
  EXPECT_EQ(act(a, unlock(m)).error, 0);
  EXPECT_FALSE(mutex(m).locked());
  EXPECT_EQ(act(b, lock(m)).error, 0);
  EXPECT_EQ(mutex(m).owner, b);
}

TEST_F(MutexTest, RelockingAnOwnNormalMutexOrSpinLockIsDisabled) {
  for (MutexType type : {MutexType::Normal, MutexType::Spin}) {
    const ObjectId m = make_mutex(type);
    act(a, lock(m));
    EXPECT_FALSE(can(a, lock(m)));
    EXPECT_EQ(act(a, try_lock(m)).error, EBUSY);
  }
}

TEST_F(MutexTest, ARecursiveMutexIsFreeAfterAsManyUnlocksAsLocks) {
  const ObjectId m = make_mutex(MutexType::Recursive);
  act(a, lock(m));
  EXPECT_EQ(act(a, lock(m)).error, 0);
  EXPECT_EQ(act(a, try_lock(m)).error, 0);
  EXPECT_EQ(act(a, timed_lock(m)).error, 0);
  EXPECT_EQ(mutex(m).depth, 4u);
  for (int i = 0; i < 3; ++i) act(a, unlock(m));
  EXPECT_FALSE(can(b, lock(m)));
  EXPECT_EQ(act(b, try_lock(m)).error, EBUSY);
  act(a, unlock(m));
  EXPECT_TRUE(can(b, lock(m)));
  EXPECT_EQ(act(a, unlock(m)).error, EPERM);
}

TEST_F(MutexTest, ARecursiveMutexDoesNotCountPastItsLimit) {
  const ObjectId m = make_mutex(MutexType::Recursive);
  act(a, lock(m));
  world.object(m).mutex.depth = UINT32_MAX;
  EXPECT_EQ(act(a, lock(m)).error, EAGAIN);
  EXPECT_EQ(mutex(m).depth, UINT32_MAX);
}

TEST_F(MutexTest, AnErrorCheckingMutexTellsItsOwnerOfTheDeadlock) {
  const ObjectId m = make_mutex(MutexType::ErrorCheck);
  act(a, lock(m));
  EXPECT_EQ(act(a, lock(m)).error, EDEADLK);
  EXPECT_EQ(act(a, timed_lock(m)).error, EDEADLK);
  EXPECT_EQ(act(a, try_lock(m)).error, EBUSY);
  EXPECT_EQ(mutex(m).depth, 1u);
  EXPECT_EQ(act(b, unlock(m)).error, EPERM);
  EXPECT_FALSE(can(b, lock(m)));
}

TEST_F(MutexTest, TryLockFailsWhereLockWouldBlock) {
  const ObjectId m = make_mutex();
  EXPECT_EQ(act(a, try_lock(m)).error, 0);
  EXPECT_EQ(act(b, try_lock(m)).error, EBUSY);
  EXPECT_EQ(mutex(m).owner, a);
}

TEST_F(MutexTest, TimedLockTakesAFreeMutexAndDoesNotLetTimePass) {
  const ObjectId m = make_mutex();
  EXPECT_EQ(act(a, timed_lock(m, 5'000'000)).error, 0);
  EXPECT_EQ(mutex(m).owner, a);
  EXPECT_EQ(world.thread(a).clock_ns, 1000);
}

TEST_F(MutexTest, TimedLockTimesOutAtItsDeadlineWhereLockWouldBlock) {
  const ObjectId m = make_mutex();
  act(a, lock(m));
  EXPECT_EQ(act(b, timed_lock(m, 5'000'000)).error, ETIMEDOUT);
  EXPECT_EQ(world.thread(b).clock_ns, 5'000'000);
  EXPECT_EQ(act(b, timed_lock(m, 7)).error, ETIMEDOUT);
  EXPECT_EQ(world.thread(b).clock_ns, 5'001'000);
  EXPECT_EQ(act(a, timed_lock(m, 6'000'000)).error, ETIMEDOUT);
  EXPECT_EQ(mutex(m).owner, a);
}

TEST_F(MutexTest, UnlockingANormalMutexOfAnotherThreadIsAMisuse) {
  for (MutexType type : {MutexType::Normal, MutexType::Spin}) {
    const ProcessId p = fork(a);
    const ObjectId m = make_mutex(type);
    act(a, lock(m));
    EXPECT_EQ(act(p, unlock(m)).misuse, Misuse::UnlockNotOwned);
    EXPECT_EQ(mutex(m).owner, a);
  }
}

TEST_F(MutexTest, UnlockingAFreeNormalMutexIsAMisuse) {
  EXPECT_EQ(act(a, unlock(make_mutex())).misuse, Misuse::UnlockNotOwned);
}

TEST_F(MutexTest, DestroyingALockedMutexIsAMisuse) {
  const ObjectId m = make_mutex();
  const ProcessId p = fork(a);
  act(a, lock(m));
  EXPECT_EQ(act(p, destroy(m)).misuse, Misuse::DestroyBusy);
  EXPECT_FALSE(world.object(m).destroyed);
}

TEST_F(MutexTest, UsingADestroyedMutexIsAMisuse) {
  for (const Operation& op : {lock(ObjectId{0}), try_lock(ObjectId{0}), unlock(ObjectId{0}),
                              destroy(ObjectId{0}), repair(ObjectId{0})}) {
    const ProcessId p = fork(a);
    world.create_object(ObjectId{0}, ObjectKind::Mutex, kNoProcess);
    EXPECT_EQ(act(a, destroy(ObjectId{0})).misuse, Misuse::None);
    EXPECT_EQ(act(p, op).misuse, Misuse::Destroyed) << name_of(op.kind);
    EXPECT_TRUE(at_exit(p));
  }
}

TEST_F(MutexTest, LockingWhatIsNoMutexIsAMisuse) {
  EXPECT_EQ(act(a, lock(make(ObjectKind::Semaphore))).misuse, Misuse::NotInitialised);
}

TEST_F(MutexTest, TheNextOwnerOfARobustMutexLearnsThatTheLastOneDied) {
  const ObjectId m = make_orphan();
  EXPECT_EQ(act(a, lock(m)).error, EOWNERDEAD);
  EXPECT_EQ(mutex(m).owner, a);
  EXPECT_FALSE(can(b, lock(m)));
  EXPECT_EQ(act(b, unlock(m)).error, EPERM);
}

TEST_F(MutexTest, TryAndTimedLocksLearnOfADeadOwnerToo) {
  EXPECT_EQ(act(a, try_lock(make_orphan())).error, EOWNERDEAD);
}

TEST_F(MutexTest, ARepairedRobustMutexIsAsGoodAsNew) {
  const ObjectId m = make_orphan();
  act(a, timed_lock(m));
  EXPECT_EQ(act(b, repair(m)).error, EINVAL);
  EXPECT_EQ(act(a, repair(m)).error, 0);
  EXPECT_EQ(act(a, repair(m)).error, EINVAL);
  EXPECT_EQ(act(a, unlock(m)).error, 0);
  EXPECT_EQ(act(b, lock(m)).error, 0);
}

TEST_F(MutexTest, ARobustMutexUnlockedWithoutRepairIsLostForGood) {
  const ObjectId m = make_orphan();
  act(a, lock(m));
  EXPECT_EQ(act(a, unlock(m)).error, 0);
  EXPECT_EQ(act(b, lock(m)).error, ENOTRECOVERABLE);
  EXPECT_EQ(act(b, try_lock(m)).error, ENOTRECOVERABLE);
  EXPECT_EQ(act(a, timed_lock(m)).error, ENOTRECOVERABLE);
  EXPECT_FALSE(mutex(m).locked());
}

TEST_F(MutexTest, ARobustMutexWhoseSecondOwnerDiesUnrepairedHasADeadOwnerAgain) {
  const ObjectId m = make_orphan();
  act(b, lock(m));
  act(b, {.kind = OpKind::ThreadExit});
  EXPECT_EQ(act(a, lock(m)).error, EOWNERDEAD);
}

TEST_F(MutexTest, RepairingAMutexThatIsNotRobustIsAnError) {
  const ObjectId m = make_mutex();
  act(a, lock(m));
  EXPECT_EQ(act(a, repair(m)).error, EINVAL);
}

TEST_F(MutexTest, OwningRobustMutexesIsCounted) {
  const ObjectId m = make_mutex(MutexType::Recursive, true);
  act(a, lock(m));
  act(a, lock(m));
  EXPECT_EQ(world.thread(a).robust_held, 1);
  act(a, unlock(m));
  EXPECT_EQ(world.thread(a).robust_held, 1);
  act(a, unlock(m));
  EXPECT_EQ(world.thread(a).robust_held, 0);
}

}  // namespace
}  // namespace mazurka
