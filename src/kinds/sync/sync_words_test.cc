#include "kinds/sync/sync_words.h"

#include <cerrno>

#include "objects/words_fixture.h"

namespace mazurka {
namespace {

class SyncWords : public WordsFixture {};

TEST_F(SyncWords, AMutexSaysWhoHoldsItAndKeepsOthersOut) {
  const ObjectId m = make(ObjectKind::Mutex);
  const Operation lock{.kind = OpKind::MutexLock, .object = m};
  EXPECT_EQ(value(m), "free");
  EXPECT_EQ(owner_of(world.object(m)), kNoThread);
  EXPECT_TRUE(holders(a, lock).empty());
  apply(world, b, lock, kOnlyOutcome);
  EXPECT_EQ(value(m), "held by T1");
  EXPECT_EQ(owner_of(world.object(m)), b);
  EXPECT_EQ(holders(a, lock), std::vector{b});
  world.object(m).destroyed = true;
  EXPECT_EQ(value(m), "destroyed");
}

TEST_F(SyncWords, FlagsStandBeforeTheName) {
  const ObjectId m = make(ObjectKind::Mutex);
  EXPECT_EQ(operation({.kind = OpKind::MutexLock, .object = m}), "lock o0");
  EXPECT_EQ(operation({.kind = OpKind::MutexLock, .flags = kTry, .object = m}), "try lock o0");
  EXPECT_EQ(operation({.kind = OpKind::MutexLock, .flags = kTimed, .object = m}), "timed lock o0");
  EXPECT_EQ(result({.kind = OpKind::MutexLock}, {.error = EBUSY}), "EBUSY");
  EXPECT_EQ(result({.kind = OpKind::MutexLock}, {.error = ETIMEDOUT}), "timed out");
  EXPECT_EQ(result({.kind = OpKind::MutexLock}, {}), "");
}

TEST_F(SyncWords, ReadersHoldALockThatBelongsToNobody) {
  const ObjectId lock = make(ObjectKind::RwLock);
  apply(world, b, {.kind = OpKind::ReadLock, .object = lock}, kOnlyOutcome);
  apply(world, c, {.kind = OpKind::ReadLock, .object = lock}, kOnlyOutcome);
  EXPECT_EQ(value(lock), "read by T1, T2");
  EXPECT_EQ(owner_of(world.object(lock)), kNoThread);
  EXPECT_EQ(holders(a, {.kind = OpKind::WriteLock, .object = lock}), (std::vector{b, c}));
}

TEST_F(SyncWords, AWaiterWaitsForTheMutexOnlyOnceItIsWoken) {
  const ObjectId condition = make(ObjectKind::Condition);
  const ObjectId m = make(ObjectKind::Mutex);
  apply(world, a, {.kind = OpKind::MutexLock, .object = m}, kOnlyOutcome);
  apply(world, a, {.kind = OpKind::CondWait, .object = condition, .second = m}, kOnlyOutcome);
  apply(world, b, {.kind = OpKind::MutexLock, .object = m}, kOnlyOutcome);
  const Operation wake{.kind = OpKind::CondReacquire, .object = condition, .second = m};
  EXPECT_EQ(operation(wake), "wake up from o0 with o1");
  EXPECT_EQ(value(condition), "waited for by T0");
  EXPECT_TRUE(holders(a, wake).empty());
  world.thread(a).woken = true;
  EXPECT_EQ(holders(a, wake), std::vector{b});
  EXPECT_EQ(value(condition), "nobody waits");
}

TEST_F(SyncWords, ASignalSaysWhomItWakes) {
  EXPECT_EQ(outcome({.kind = OpKind::CondSignal}, 1), ", wakes T1");
  EXPECT_EQ(outcome({.kind = OpKind::CondSignal}, kNobody), ", wakes nobody");
  Operation wake{.kind = OpKind::FutexWake};
  wake.value = 2;
  EXPECT_EQ(outcome(wake, kOnlyOutcome), "");
  EXPECT_FALSE(words_of(wake.kind).outcome_is_thread(wake));
  wake.value = 1;
  EXPECT_EQ(outcome(wake, 2), ", wakes T2");
  EXPECT_TRUE(words_of(wake.kind).outcome_is_thread(wake));
}

TEST_F(SyncWords, WhoTookASemaphoreCouldGiveItBack) {
  const ObjectId s = make(ObjectKind::Semaphore);
  const Operation wait{.kind = OpKind::SemWait, .object = s};
  EXPECT_TRUE(why(a, wait).hopes.empty());
  takings.step(b, wait, {}, {});
  takings.step(c, wait, {}, {.error = EAGAIN});  // got none
  EXPECT_EQ(why(a, wait).text, "its value is 0");
  EXPECT_EQ(why(a, wait).hopes, std::vector{b});
  EXPECT_STREQ(why(a, wait).after_hopes, " has taken it");
  takings.step(b, {.kind = OpKind::SemPost, .object = s}, {}, {});
  EXPECT_TRUE(why(a, wait).hopes.empty());
}

TEST_F(SyncWords, ASemopNamesItsSemaphoresAndTheOneInTheWay) {
  const ObjectId first = make(ObjectKind::Semaphore);
  const ObjectId second = make(ObjectKind::Semaphore);
  const Parts parts{semaphore_part(first, 1), semaphore_part(second, -2)};
  EXPECT_EQ(operation({.kind = OpKind::Semop}, parts), "semop o0 +1, o1 -2");
  EXPECT_EQ(operation({.kind = OpKind::SemctlSet}, parts), "semctl set o0 = 1, o1 = -2");
  takings.step(b, {.kind = OpKind::Semop}, {semaphore_part(second, -1)}, {});
  EXPECT_EQ(why(a, {.kind = OpKind::Semop}, parts).text, "the value of o1 is 0");
  EXPECT_EQ(why(a, {.kind = OpKind::Semop}, parts).hopes, std::vector{b});
}

TEST_F(SyncWords, WhatWasDoneOnceIsNothingToLookAt) {
  const ObjectId once = make(ObjectKind::Once);
  const Operation begin{.kind = OpKind::OnceBegin, .object = once};
  EXPECT_EQ(value(once), "not begun");
  EXPECT_EQ(result(begin, apply(world, b, begin, kOnlyOutcome)), "does it");
  EXPECT_EQ(value(once), "begun by T1");
  EXPECT_EQ(holders(a, begin), std::vector{b});
  world.object(once).once.state = Once::State::Done;
  EXPECT_TRUE(says_nothing(world.object(once)));
  EXPECT_TRUE(holders(a, begin).empty());
}

}  // namespace
}  // namespace mazurka
