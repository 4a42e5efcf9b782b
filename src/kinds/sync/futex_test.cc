#include "kinds/sync/futex.h"

#include <errno.h>

#include "objects/world_fixture.h"

namespace mazurka {
namespace {

class FutexTest : public WorldFixture {
 protected:
  void wait(ThreadId thread) { act(thread, {.kind = OpKind::FutexWait, .object = f}); }
  Operation blocked(uint8_t flags = 0, int64_t deadline_ns = 0) const {
    return {.kind = OpKind::FutexBlocked, .flags = flags, .object = f, .deadline_ns = deadline_ns};
  }
  Operation wake(int64_t count) const {
    return {.kind = OpKind::FutexWake, .object = f, .value = count};
  }

  const ObjectId f = make(ObjectKind::Futex);
};

TEST_F(FutexTest, AWaiterIsDisabledUntilWoken) {
  wait(a);
  EXPECT_FALSE(can(a, blocked()));
  EXPECT_EQ(act(b, wake(1)).thread, a);
  EXPECT_EQ(outcomes(a, blocked()), std::vector<Outcome>{0});
  EXPECT_EQ(act(a, blocked()).error, 0);
  EXPECT_EQ(world.thread(a).waiting_on, kNoObject);
}

TEST_F(FutexTest, ATimedWaiterTimesOutUntilWoken) {
  wait(a);
  EXPECT_EQ(outcomes(a, blocked(kTimed)), std::vector<Outcome>{1});
  EXPECT_EQ(act(a, blocked(kTimed, 8'000'000)).error, ETIMEDOUT);
  EXPECT_EQ(world.thread(a).clock_ns, 8'000'000);
  EXPECT_EQ(outcomes(b, wake(1)), std::vector<Outcome>{kNobody});
  wait(c);
  act(b, wake(1));
  EXPECT_EQ(outcomes(c, blocked(kTimed)), std::vector<Outcome>{0});
}

TEST_F(FutexTest, WakingOneHasAnOutcomeForEachWaiter) {
  wait(c);
  wait(a);
  EXPECT_EQ(outcomes(b, wake(1)), (std::vector<Outcome>{outcome_of(a), outcome_of(c)}));
  const Effect effect = act(b, wake(1), outcome_of(a));
  EXPECT_EQ(effect.value, 1);
  EXPECT_EQ(effect.thread, a);
  EXPECT_TRUE(world.waits_on(c, f));
}

TEST_F(FutexTest, WakingSeveralWakesTheLongestWaiting) {
  const ProcessId p = fork(a);
  wait(c);
  wait(p);
  wait(a);
  const Effect effect = act(b, wake(2));
  EXPECT_EQ(effect.value, 2);
  EXPECT_EQ(effect.thread, c);
  EXPECT_TRUE(world.thread(c).woken);
  EXPECT_TRUE(world.thread(p).woken);
  EXPECT_TRUE(world.waits_on(a, f));
}

TEST_F(FutexTest, WakingAllOrNoneHasOneOutcome) {
  wait(a);
  wait(c);
  EXPECT_EQ(act(b, wake(0)).value, 0);
  EXPECT_EQ(act(b, wake(INT32_MAX)).value, 2);
  EXPECT_EQ(act(b, wake(INT32_MAX)).value, 0);
}

TEST_F(FutexTest, AWokenThreadHasTheWakersTime) {
  wait(a);
  for (int i = 0; i < 10; ++i) act(b, {.kind = OpKind::Toss});
  act(b, wake(1));
  act(a, blocked());
  EXPECT_EQ(world.thread(a).clock_ns, 12'000);
}

}  // namespace
}  // namespace mazurka
