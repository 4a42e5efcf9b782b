#include "kinds/sync/barrier.h"

#include "objects/world_fixture.h"

namespace mazurka {
namespace {

class BarrierTest : public WorldFixture {
 protected:
  BarrierTest() { world.object(bar).barrier.count = 2; }

  int64_t arrive(ThreadId thread) {
    return act(thread, {.kind = OpKind::BarrierArrive, .object = bar}).value;
  }
  Operation leave(int64_t round) const {
    return {.kind = OpKind::BarrierLeave, .object = bar, .value = round};
  }
  Operation destroy() const { return {.kind = OpKind::BarrierDestroy, .object = bar}; }

  const ObjectId bar = make(ObjectKind::Barrier);
};

TEST_F(BarrierTest, NobodyLeavesBeforeTheRoundIsComplete) {
  EXPECT_EQ(arrive(a), 0);
  EXPECT_FALSE(can(a, leave(0)));
  EXPECT_EQ(arrive(b), 0);
  EXPECT_TRUE(can(a, leave(0)));
  EXPECT_TRUE(can(b, leave(0)));
}

TEST_F(BarrierTest, TheLastToArriveIsTheSerialThread) {
  arrive(b);
  arrive(a);
  EXPECT_EQ(act(b, leave(0)).value, 0);
  EXPECT_EQ(act(a, leave(0)).value, 1);
}

TEST_F(BarrierTest, RoundsFollowEachOther) {
  arrive(a);
  arrive(b);
  act(a, leave(0));
  EXPECT_EQ(arrive(a), 1);
  EXPECT_FALSE(can(a, leave(1)));
  EXPECT_TRUE(can(b, leave(0)));
  EXPECT_EQ(act(b, leave(0)).value, 1);
  EXPECT_EQ(arrive(b), 1);
  EXPECT_EQ(act(a, leave(1)).value, 0);
  EXPECT_EQ(act(b, leave(1)).value, 1);
}

TEST_F(BarrierTest, ABarrierForOneLetsEverybodyThrough) {
  world.object(bar).barrier.count = 1;
  EXPECT_EQ(arrive(a), 0);
  EXPECT_EQ(arrive(b), 1);
  EXPECT_EQ(act(a, leave(0)).value, 1);
  EXPECT_EQ(act(b, leave(1)).value, 1);
}

TEST_F(BarrierTest, LeavingHasTheTimeOfItsOwnRound) {
  arrive(a);
  for (int i = 0; i < 10; ++i) act(b, {.kind = OpKind::Toss});
  arrive(b);
  EXPECT_EQ(world.thread(a).clock_ns, 11'000);
  for (int i = 0; i < 10; ++i) act(c, {.kind = OpKind::Toss});
  arrive(c);
  act(a, leave(0));
  EXPECT_EQ(world.thread(a).clock_ns, 12'000);
}

TEST_F(BarrierTest, DestroyingItInMidRoundIsAMisuse) {
  arrive(a);
  const ProcessId p = fork(a);
  EXPECT_EQ(act(p, destroy()).misuse, Misuse::DestroyBusy);
}

TEST_F(BarrierTest, ACompleteRoundMayStillLeaveADestroyedBarrier) {
  arrive(a);
  arrive(b);
  EXPECT_EQ(act(b, leave(0)).value, 1);
  EXPECT_EQ(act(b, destroy()).misuse, Misuse::None);
  EXPECT_EQ(act(a, leave(0)).misuse, Misuse::None);
  EXPECT_EQ(act(a, {.kind = OpKind::BarrierArrive, .object = bar}).misuse, Misuse::Destroyed);
}

}  // namespace
}  // namespace mazurka
