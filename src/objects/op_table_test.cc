// What holds for all kinds of operations, one after another: signals are taken before each, and
// what is destroyed is misused.
#include "objects/op_table.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <set>

#include "objects/accesses.h"
#include "objects/kind_table.h"
#include "objects/misuse.h"
#include "objects/world_fixture.h"

namespace mazurka {
namespace {

class OpTable : public WorldFixture {
 protected:
  // One of the kind that is no misuse, whether it may happen or not.
  Operation some(const OpRow& row) {
    const ObjectKind object = row.kind == OpKind::BarrierLeave ? ObjectKind::Barrier : row.object;
    const ObjectKind second = row.second == ObjectKind::None ? ObjectKind::Description : row.second;
    Operation op{.kind = row.kind, .target = b, .object = make(object), .second = make(second)};
    op.value = index(op.second);  // the description that an accept makes
    if (row.kind == OpKind::SignalSend || row.kind == OpKind::SignalAction) op.value = SIGUSR2;
    return op;
  }

  bool reads(ThreadId thread, const Operation& op, const Resource& resource) const {
    Access items[64];
    AccessList list{items, 64};
    accesses(world, thread, op, kOnlyOutcome, list);
    return std::any_of(items, items + list.count,
                       [&](const Access& access) { return access.resource == resource; });
  }
};

TEST_F(OpTable, SignalsAreTakenBeforeAllButWhatHasFailed) {
  const std::set<OpKind> fails{OpKind::Crash, OpKind::Assertion, OpKind::Misuse};
  on_signals::set_action(
      world, a, {.kind = OpKind::SignalAction, .flags = kHandles, .value = SIGUSR1}, kOnlyOutcome);
  act(b, {.kind = OpKind::SignalSend, .flags = kToThread, .target = a, .value = SIGUSR1});
  for (const OpRow& row : kOpTable) {
    if (row.kind == OpKind::None) continue;
    const Outcomes found = enabled(world, a, some(row));
    EXPECT_EQ(found.first, fails.contains(row.kind) ? 0 : signal_bit(SIGUSR1)) << row.name;
  }
}

// Of those that name an object of their own: what waits to be woken does not come back to it.
TEST_F(OpTable, ADestroyedObjectIsMisusedUnlessTheCallSaysThatItIsGone) {
  using enum OpKind;
  const std::set<OpKind> find_it_gone{Semop,        SemctlSet, SemctlGet, SemctlRemove, QueueSend,
                                      QueueReceive, QueueGet,  QueueSet,  QueueRemove};
  for (const OpRow& row : kOpTable) {
    if (row.object == ObjectKind::None) continue;
    const Operation op = some(row);
    EXPECT_NE(foretell_misuse(world, a, op), Misuse::Destroyed) << row.name;
    world.object(op.object).destroyed = true;
    const bool is_found = find_it_gone.contains(row.kind);
    EXPECT_EQ(foretell_misuse(world, a, op), is_found ? Misuse::None : Misuse::Destroyed)
        << row.name;
    EXPECT_TRUE(reads(a, op, object_resource(op.object))) << row.name;
  }
}

TEST_F(OpTable, WhatWasNeverInitialisedIsMisusedAndLookedAt) {
  const ObjectId nothing{world.object_limit++};
  for (const OpRow& row : kOpTable) {
    if (row.object == ObjectKind::None) continue;
    Operation op = some(row);
    op.object = nothing;
    EXPECT_EQ(foretell_misuse(world, a, op), Misuse::NotInitialised) << row.name;
    EXPECT_TRUE(reads(a, op, object_resource(nothing))) << row.name;
  }
}

TEST_F(OpTable, TheMutexOfAConditionIsMisusedAndLookedAtAsWell) {
  for (const OpKind kind : {OpKind::CondWait, OpKind::CondReacquire}) {
    const Operation op = some(row_of(kind));
    world.thread(a).woken = true;
    world.object(op.second).destroyed = true;
    EXPECT_EQ(foretell_misuse(world, a, op), Misuse::Destroyed) << name_of(kind);
    EXPECT_TRUE(reads(a, op, object_resource(op.second))) << name_of(kind);
  }
}

TEST_F(OpTable, AJoinOfWhoeverIsJoinedLooksAtThem) {
  world.thread(b).joined = true;
  const Operation join{.kind = OpKind::Join, .target = b};
  EXPECT_EQ(foretell_misuse(world, a, join), Misuse::JoinTwice);
  EXPECT_TRUE(reads(a, join, thread_resource(b)));
}

TEST_F(OpTable, OnlyATimerShowsTheTime) {
  for (const KindRow& row : kKindTable) {
    world.has_timers = 0;
    make(row.kind);
    EXPECT_EQ(world.has_timers != 0, row.kind == ObjectKind::Timer) << row.name;
  }
}

}  // namespace
}  // namespace mazurka
