#include "kinds/sync/rwlock.h"

#include <errno.h>

#include "objects/world_fixture.h"

namespace mazurka {
namespace {

class RwLockTest : public WorldFixture {
 protected:
  Operation op(OpKind kind, uint8_t flags = 0, int64_t deadline_ns = 0) const {
    return {.kind = kind, .flags = flags, .object = l, .deadline_ns = deadline_ns};
  }
  const Operation read(uint8_t flags = 0) const { return op(OpKind::ReadLock, flags); }
  const Operation write(uint8_t flags = 0) const { return op(OpKind::WriteLock, flags); }
  const Operation unlock() const { return op(OpKind::RwUnlock); }

  const ObjectId l = make(ObjectKind::RwLock);
};

TEST_F(RwLockTest, ReadersShareIt) {
  EXPECT_EQ(act(a, read()).error, 0);
  EXPECT_EQ(act(b, read()).error, 0);
  EXPECT_FALSE(can(c, write()));
  act(a, unlock());
  EXPECT_FALSE(can(c, write()));
  act(b, unlock());
  EXPECT_TRUE(can(c, write()));
}

TEST_F(RwLockTest, AWriterHasItAlone) {
  act(a, write());
  EXPECT_FALSE(can(b, read()));
  EXPECT_FALSE(can(b, write()));
  act(a, unlock());
  EXPECT_TRUE(can(b, read()));
}

TEST_F(RwLockTest, AReaderGetsInWhileAWriterWaits) {
  act(a, read());
  world.thread(c).pending = write();
  EXPECT_FALSE(can(c, write()));
  EXPECT_EQ(act(b, read()).error, 0);
}

TEST_F(RwLockTest, UnlockSaysWhichKindItReleased) {
  act(a, write());
  EXPECT_EQ(act(a, unlock()).value, 1);
  act(a, read());
  EXPECT_EQ(act(a, unlock()).value, 0);
}

TEST_F(RwLockTest, AReaderMayReadTwice) {
  act(a, read());
  EXPECT_EQ(act(a, read()).error, 0);
  act(a, unlock());
  EXPECT_FALSE(can(b, write()));
  act(a, unlock());
  EXPECT_TRUE(can(b, write()));
}

TEST_F(RwLockTest, TheWriterIsToldOfItsDeadlock) {
  act(a, write());
  EXPECT_EQ(act(a, read()).error, EDEADLK);
  EXPECT_EQ(act(a, write()).error, EDEADLK);
  EXPECT_EQ(act(a, read(kTimed)).error, EDEADLK);
  EXPECT_EQ(act(a, write(kTimed)).error, EDEADLK);
  EXPECT_EQ(act(a, read(kTry)).error, EBUSY);
  EXPECT_EQ(act(a, write(kTry)).error, EBUSY);
}

TEST_F(RwLockTest, AReaderThatWantsToWriteBlocksItself) {
  act(a, read());
  EXPECT_FALSE(can(a, write()));
  EXPECT_EQ(act(a, write(kTry)).error, EBUSY);
}

TEST_F(RwLockTest, TryFailsWhereItWouldBlock) {
  act(a, read());
  EXPECT_EQ(act(b, write(kTry)).error, EBUSY);
  EXPECT_EQ(act(b, read(kTry)).error, 0);
  act(a, unlock());
  act(b, unlock());
  EXPECT_EQ(act(a, write(kTry)).error, 0);
  EXPECT_EQ(act(b, read(kTry)).error, EBUSY);
}

TEST_F(RwLockTest, TimedTimesOutWhereItWouldBlock) {
  act(a, write());
  EXPECT_EQ(act(b, op(OpKind::ReadLock, kTimed, 4'000'000)).error, ETIMEDOUT);
  EXPECT_EQ(world.thread(b).clock_ns, 4'000'000);
  EXPECT_EQ(act(c, op(OpKind::WriteLock, kTimed, 5'000'000)).error, ETIMEDOUT);
  EXPECT_EQ(world.thread(c).clock_ns, 5'000'000);
  act(a, unlock());
  EXPECT_EQ(act(b, op(OpKind::ReadLock, kTimed, 6'000'000)).error, 0);
}

TEST_F(RwLockTest, UnlockingWhatIsNotHeldIsAMisuse) {
  const ProcessId p = fork(a);
  act(a, read());
  EXPECT_EQ(act(p, unlock()).misuse, Misuse::UnlockNotOwned);
  EXPECT_EQ(world.object(l).rwlock.holds, 1u);
  act(a, unlock());
  EXPECT_EQ(act(a, unlock()).misuse, Misuse::UnlockNotOwned);
}

TEST_F(RwLockTest, MoreReadersThanCanBeNamedAreBelieved) {
  std::vector<ProcessId> readers;
  for (uint32_t i = 0; i < kMaxKnownReaders + 2; ++i) {
    readers.push_back(fork(a));
    EXPECT_EQ(act(readers.back(), read()).error, 0);
  }
  EXPECT_EQ(world.object(l).rwlock.unknown_holds, 2u);
  for (ProcessId reader : readers) EXPECT_EQ(act(reader, unlock()).misuse, Misuse::None);
  EXPECT_FALSE(world.object(l).rwlock.held());
  EXPECT_EQ(act(b, unlock()).misuse, Misuse::UnlockNotOwned);
}

TEST_F(RwLockTest, DestroyingItWhileHeldIsAMisuse) {
  const ProcessId p = fork(a);
  act(a, read());
  EXPECT_EQ(act(p, op(OpKind::RwDestroy)).misuse, Misuse::DestroyBusy);
  act(a, unlock());
  EXPECT_EQ(act(a, op(OpKind::RwDestroy)).misuse, Misuse::None);
  EXPECT_EQ(act(a, read()).misuse, Misuse::Destroyed);
}

TEST_F(RwLockTest, ReadersDoNotSeeEachOthersTimeButWritersSeeIt) {
  for (int i = 0; i < 10; ++i) act(a, {.kind = OpKind::Toss});
  act(a, read());
  act(b, read());
  EXPECT_EQ(world.thread(b).clock_ns, 1000);
  act(b, unlock());
  EXPECT_EQ(world.thread(b).clock_ns, 2000);
  act(a, unlock());
  act(c, write());
  EXPECT_EQ(world.thread(c).clock_ns, 13'000);
  act(c, unlock());
  act(b, read());
  EXPECT_EQ(world.thread(b).clock_ns, 15'000);
}

}  // namespace
}  // namespace mazurka
