#include "kinds/sync/sem_set.h"

#include <errno.h>

#include "objects/world_fixture.h"

namespace mazurka {
namespace {

class SemSetTest : public WorldFixture {
 protected:
  Operation op(OpKind kind, const std::vector<OpPart>& parts, uint8_t flags = 0) {
    Operation made{.kind = kind, .flags = flags, .object = set};
    made.part_begin = world.part_count;
    made.part_count = static_cast<uint32_t>(parts.size());
    for (const OpPart& part : parts) world.parts[world.part_count++] = part;
    return made;
  }
  Operation semop(const std::vector<OpPart>& parts, uint8_t flags = 0) {
    return op(OpKind::Semop, parts, flags);
  }
  int32_t& value(ObjectId id) { return world.object(id).semaphore.value; }

  const ObjectId set = make(ObjectKind::SemSet);
  const ObjectId s0 = make(ObjectKind::Semaphore);
  const ObjectId s1 = make(ObjectKind::Semaphore);
};

TEST_F(SemSetTest, TakingIsDisabledWhileTheValueIsTooSmall) {
  value(s0) = 1;
  EXPECT_FALSE(can(a, semop({semaphore_part(s0, -2)})));
  act(b, semop({semaphore_part(s0, 1)}));
  EXPECT_EQ(act(a, semop({semaphore_part(s0, -2)})).error, 0);
  EXPECT_EQ(value(s0), 0);
}

TEST_F(SemSetTest, ADeltaOfZeroWaitsForZero) {
  value(s0) = 1;
  EXPECT_FALSE(can(a, semop({semaphore_part(s0, 0)})));
  act(b, semop({semaphore_part(s0, -1)}));
  EXPECT_EQ(act(a, semop({semaphore_part(s0, 0)})).error, 0);
}

TEST_F(SemSetTest, AllPartsHappenOrNone) {
  value(s0) = 1;
  const Operation both = semop({semaphore_part(s0, -1), semaphore_part(s1, -1)});
  EXPECT_FALSE(can(a, both));
  EXPECT_EQ(value(s0), 1);
  value(s1) = 1;
  EXPECT_EQ(act(a, both).error, 0);
  EXPECT_EQ(value(s0), 0);
  EXPECT_EQ(value(s1), 0);
}

TEST_F(SemSetTest, PartsOnTheSameSemaphoreFollowEachOther) {
  EXPECT_EQ(act(a, semop({semaphore_part(s0, 0), semaphore_part(s0, 1)})).error, 0);
  EXPECT_EQ(value(s0), 1);
  EXPECT_FALSE(can(a, semop({semaphore_part(s0, 0), semaphore_part(s0, 1)})));
  EXPECT_FALSE(
      can(a, semop({semaphore_part(s0, -1), semaphore_part(s0, -1), semaphore_part(s0, 5)})));
  EXPECT_EQ(act(a, semop({semaphore_part(s0, 2), semaphore_part(s0, -3)})).error, 0);
  EXPECT_EQ(value(s0), 0);
}

TEST_F(SemSetTest, NoWaitFailsWhereThatPartWouldBlock) {
  EXPECT_EQ(act(a, semop({semaphore_part(s0, 1), semaphore_part(s1, -1, true)})).error, EAGAIN);
  EXPECT_EQ(value(s0), 0);
  EXPECT_FALSE(can(a, semop({semaphore_part(s1, -1), semaphore_part(s0, -1, true)})));
  EXPECT_EQ(act(a, semop({semaphore_part(s1, -1)}, kNoWait)).error, EAGAIN);
}

TEST_F(SemSetTest, TimedFailsAtTheDeadlineWhereItWouldBlock) {
  Operation timed = semop({semaphore_part(s0, -1)}, kTimed);
  timed.deadline_ns = 2'000'000;
  EXPECT_EQ(act(a, timed).error, EAGAIN);
  EXPECT_EQ(world.thread(a).clock_ns, 2'000'000);
  value(s0) = 1;
  EXPECT_EQ(act(a, timed).error, 0);
}

TEST_F(SemSetTest, AValueBeyondTheLargestIsAnError) {
  value(s0) = 32767;
  value(s1) = 1;
  EXPECT_EQ(act(a, semop({semaphore_part(s1, -1), semaphore_part(s0, 1)})).error, ERANGE);
  EXPECT_EQ(value(s1), 1);
  EXPECT_EQ(act(a, op(OpKind::SemctlSet, {semaphore_part(s1, 5), semaphore_part(s0, 32768)})).error,
            ERANGE);
  EXPECT_EQ(value(s1), 1);
}

TEST_F(SemSetTest, SetAndGetValues) {
  EXPECT_EQ(act(a, op(OpKind::SemctlSet, {semaphore_part(s0, 3), semaphore_part(s1, 4)})).error, 0);
  EXPECT_EQ(act(a, op(OpKind::SemctlGet, {semaphore_part(s0, 0)})).value, 3);
  EXPECT_EQ(act(a, op(OpKind::SemctlGet, {semaphore_part(s1, 0), semaphore_part(s0, 0)})).value, 4);
}

TEST_F(SemSetTest, RemovingTheSetFailsThoseWhoWaitAndThoseWhoCome) {
  const Operation waits = semop({semaphore_part(s0, -1)});
  EXPECT_FALSE(can(a, waits));
  EXPECT_EQ(act(b, op(OpKind::SemctlRemove, {})).error, 0);
  EXPECT_EQ(act(a, waits).error, EIDRM);
  EXPECT_EQ(act(a, op(OpKind::SemctlGet, {semaphore_part(s0, 0)})).error, EINVAL);
  EXPECT_EQ(act(a, op(OpKind::SemctlRemove, {})).error, EINVAL);
}

TEST_F(SemSetTest, RemovingTheSetFreesItsKey) {
  const ObjectId name = make(ObjectKind::Named);
  act(a, {.kind = OpKind::NameOpen, .object = name, .value = kCreate});
  Operation remove = op(OpKind::SemctlRemove, {});
  remove.second = name;
  EXPECT_EQ(act(b, remove).error, 0);
  EXPECT_EQ(act(a, {.kind = OpKind::NameOpen, .object = name}).error, ENOENT);
}

TEST_F(SemSetTest, UndoIsPaidAtTheEndOfTheProcess) {
  value(s0) = 2;
  const ProcessId p = fork(a);
  act(p, semop({semaphore_part(s0, -1, false, true)}));
  act(p, semop({semaphore_part(s0, -1, false, true)}));
  EXPECT_EQ(world.undo_count, 1u);
  EXPECT_EQ(value(s0), 0);
  EXPECT_TRUE(process_end_is_noticed(world, p));
  EXPECT_TRUE(thread_exit_is_noticed(world, p));
  act(p, {.kind = OpKind::ProcessEnd});
  EXPECT_EQ(value(s0), 2);
  EXPECT_FALSE(owes_undo(world, p));
}

TEST_F(SemSetTest, WhatWasGivenBackIsNotOwed) {
  value(s0) = 1;
  const ProcessId p = fork(a);
  act(p, semop({semaphore_part(s0, -1, false, true)}));
  act(p, semop({semaphore_part(s0, 1, false, true)}));
  EXPECT_FALSE(owes_undo(world, p));
  EXPECT_FALSE(process_end_is_noticed(world, p));
}

TEST_F(SemSetTest, UndoStaysBetweenZeroAndTheLargestValue) {
  const ProcessId p = fork(a);
  act(p, semop({semaphore_part(s0, 3, false, true)}));
  act(a, semop({semaphore_part(s0, -2)}));
  value(s1) = 5;
  act(p, semop({semaphore_part(s1, -5, false, true)}));
  value(s1) = 32765;
  act(p, {.kind = OpKind::ProcessEnd});
  EXPECT_EQ(value(s0), 0);
  EXPECT_EQ(value(s1), 32767);
}

TEST_F(SemSetTest, SettingAValueCancelsWhatOthersOweButTheirEndStaysAnOperation) {
  value(s0) = 1;
  const ProcessId p = fork(a);
  const ProcessId q = fork(a);
  act(p, semop({semaphore_part(s0, -1, false, true)}));
  act(q, semop({semaphore_part(s0, 1, false, true)}));
  act(q, semop({semaphore_part(s0, -1, false, true)}));
  act(a, op(OpKind::SemctlSet, {semaphore_part(s0, 7)}));
  EXPECT_TRUE(process_end_is_noticed(world, p));
  EXPECT_FALSE(process_end_is_noticed(world, q));
  act(p, {.kind = OpKind::ProcessEnd});
  EXPECT_EQ(value(s0), 7);
}

TEST_F(SemSetTest, AFullTableOfUndosIsAnErrorThatChangesNothing) {
  world.undo_count = kMaxUndo;
  for (SemUndo& undo : world.undo) undo = {.process = c};
  value(s0) = 1;
  EXPECT_EQ(act(fork(a), semop({semaphore_part(s0, -1, false, true)})).error, ENOSPC);
  EXPECT_EQ(value(s0), 1);
}

TEST_F(SemSetTest, AddingDoesNotSeeTheTimeOfAddingButTakingDoes) {
  for (int i = 0; i < 10; ++i) act(a, {.kind = OpKind::Toss});
  act(a, semop({semaphore_part(s0, 1)}));
  act(b, semop({semaphore_part(s0, 1)}));
  EXPECT_EQ(world.thread(b).clock_ns, 1000);
  act(c, semop({semaphore_part(s0, -1)}));
  EXPECT_EQ(world.thread(c).clock_ns, 12'000);
}

}  // namespace
}  // namespace mazurka
