#include "kinds/files/file_lock.h"

#include <errno.h>
#include <signal.h>

#include <string>

#include "objects/accesses.h"
#include "objects/world_fixture.h"

namespace mazurka {
namespace {

class FileLockTest : public WorldFixture {
 protected:
  FileLockTest() {
    for (const ObjectId description : {mine, other}) {
      world.object(description).description.reads = file;
      world.object(description).description.add_holder(a);
    }
    child = fork(a);
  }
  Operation lock(ObjectId description, uint8_t flags = 0) {
    return {.kind = OpKind::FileLock, .flags = flags, .object = file, .second = description};
  }
  Operation unlock(ObjectId description) {
    return {.kind = OpKind::FileUnlock, .object = file, .second = description};
  }
  Operation close(ObjectId description) {
    return {.kind = OpKind::DescriptionClose, .object = description};
  }
  Operation record(OpKind kind, int64_t begin, int64_t end, uint8_t flags = 0) {
    return {.kind = kind,
            .flags = static_cast<uint8_t>(flags | kRecord),
            .object = file,
            .value = begin,
            .desired = end};
  }
  Operation of_description(Operation op, ObjectId description) {
    op.flags |= kOfDescription;
    op.second = description;
    return op;
  }
  bool commute(ThreadId x, const Operation& x_op, ThreadId y, const Operation& y_op) {
    return commute_here(world, x, x_op, kOnlyOutcome, y, y_op, kOnlyOutcome);
  }
  // "0-2r 2-5w": what the first process has.
  std::string records() {
    std::string text;
    for (uint32_t i = 0; i < world.file_lock_count; ++i) {
      const FileLock& lock = world.file_locks[i];
      if (lock.owner != LockOwner{.process = a}) continue;
      if (!text.empty()) text += ' ';
      text += std::to_string(lock.begin);
      text += '-';
      text += std::to_string(lock.end);
      text += lock.is_shared ? 'r' : 'w';
    }
    return text;
  }

  const ObjectId file = make(ObjectKind::File);
  const ObjectId mine = make(ObjectKind::Description);
  const ObjectId other = make(ObjectKind::Description);
  ProcessId child = kNoProcess;
};

TEST_F(FileLockTest, OneLocksOrSeveralShare) {
  EXPECT_EQ(act(a, lock(mine)).error, 0);
  EXPECT_FALSE(can(b, lock(other)));
  EXPECT_FALSE(can(b, lock(other, kShared)));
  EXPECT_EQ(act(b, lock(other, kTry)).error, EAGAIN);
  act(a, unlock(mine));
  act(a, lock(mine, kShared));
  EXPECT_EQ(act(b, lock(other, kShared)).error, 0);
  EXPECT_EQ(world.file_lock_count, 2u);
}

TEST_F(FileLockTest, ALockOfADescriptionIsTheLockOfAllThatHoldIt) {
  act(a, lock(mine));
  EXPECT_EQ(act(child, lock(mine)).error, 0);
  act(a, close(mine));
  EXPECT_FALSE(can(b, lock(other)));
  act(child, close(mine));
  EXPECT_TRUE(can(b, lock(other)));
  EXPECT_EQ(act(child, lock(mine)).error, EBADF);
}

TEST_F(FileLockTest, TheEndOfAProcessGivesUpItsLocks) {
  act(a, close(mine));
  act(child, lock(mine));
  act(child, record(OpKind::FileLock, 0, 1));
  EXPECT_TRUE(process_end_is_noticed(world, child));
  act(child, {.kind = OpKind::Crash, .value = SIGSEGV});
  EXPECT_EQ(world.file_lock_count, 0u);
}

// As the kernel does it: what there was is lost.
TEST_F(FileLockTest, AChangeThatCannotBeMadeGivesUpFirst) {
  act(a, lock(mine, kShared));
  act(b, lock(other, kShared));
  EXPECT_EQ(act(a, lock(mine)).value, 1);
  EXPECT_FALSE(can(a, lock(mine)));
  EXPECT_EQ(act(b, lock(other)).error, 0);
  EXPECT_EQ(act(b, lock(other, kShared)).error, 0);
  act(a, lock(mine, kShared));
  EXPECT_EQ(act(a, lock(mine, kTry)).error, EAGAIN);
  EXPECT_EQ(world.file_lock_count, 1u);
}

TEST_F(FileLockTest, RecordsAreSplitAndJoined) {
  act(a, record(OpKind::FileLock, 0, 10));
  act(a, record(OpKind::FileLock, 4, 6, kShared));
  EXPECT_EQ(records(), "0-4w 4-6r 6-10w");
  act(a, record(OpKind::FileLock, 4, 6));
  EXPECT_EQ(records(), "0-10w");
  act(b, record(OpKind::FileUnlock, 2, 3));
  EXPECT_EQ(records(), "0-2w 3-10w");
  act(a, record(OpKind::FileUnlock, 0, kEndOfFile));
  EXPECT_EQ(records(), "");
}

TEST_F(FileLockTest, RecordsKeepOthersOutWhereTheyOverlap) {
  act(a, record(OpKind::FileLock, 0, 10));
  EXPECT_TRUE(can(b, record(OpKind::FileLock, 0, 10)));  // the same process
  EXPECT_FALSE(can(child, record(OpKind::FileLock, 9, 11, kShared)));
  EXPECT_TRUE(can(child, record(OpKind::FileLock, 10, 11)));
  EXPECT_TRUE(can(child, lock(mine)));  // flock does not see them
  EXPECT_EQ(act(child, record(OpKind::FileLook, 5, 6)).value, 1);
  EXPECT_EQ(lock_in_the_way(world, child, record(OpKind::FileLook, 5, 6))->owner.process, a);
  EXPECT_FALSE(can(b, of_description(record(OpKind::FileLock, 0, 1), mine)));
}

TEST_F(FileLockTest, ARecordGoesWhenItsProcessClosesAnyDescriptorOfTheFile) {
  act(a, record(OpKind::FileLock, 0, 1));
  act(a, of_description(record(OpKind::FileLock, 5, 6), mine));
  act(b, close(other));
  EXPECT_EQ(world.file_lock_count, 1u);
  act(a, record(OpKind::FileLock, 0, 1));
  act(b, {.kind = OpKind::FileForget, .object = file});
  EXPECT_EQ(world.file_lock_count, 1u);
}

// Each keeps what it has while it waits: nobody goes on.
TEST_F(FileLockTest, TwoThatShareARecordAndWantItAloneAreStuck) {
  act(a, record(OpKind::FileLock, 0, 1, kShared));
  act(child, record(OpKind::FileLock, 0, 1, kShared));
  EXPECT_FALSE(can(a, record(OpKind::FileLock, 0, 1)));
  EXPECT_FALSE(can(child, record(OpKind::FileLock, 0, 1)));
}

TEST_F(FileLockTest, RecordsThatDoNotOverlapCommuteHere) {
  const Operation first = record(OpKind::FileLock, 0, 1);
  EXPECT_TRUE(commute(a, first, child, record(OpKind::FileLock, 1, 2)));
  EXPECT_FALSE(commute(a, first, child, record(OpKind::FileLock, 0, 2)));
  EXPECT_FALSE(commute(a, first, b, record(OpKind::FileLock, 1, 2)));
}

TEST_F(FileLockTest, MoreLocksThanFitAreRefused) {
  for (uint32_t i = 0; i + 2 <= kMaxFileLocks; ++i) {
    EXPECT_EQ(act(a, record(OpKind::FileLock, 2 * i, 2 * i + 1)).error, 0);
  }
  EXPECT_EQ(act(a, record(OpKind::FileLock, 1 << 20, 1 << 21)).error, ENOLCK);
}

}  // namespace
}  // namespace mazurka
