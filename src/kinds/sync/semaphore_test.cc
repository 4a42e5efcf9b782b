#include "kinds/sync/semaphore.h"

#include <errno.h>
#include <limits.h>

#include "objects/world_fixture.h"

namespace mazurka {
namespace {

class SemaphoreTest : public WorldFixture {
 protected:
  Operation op(OpKind kind, uint8_t flags = 0, int64_t deadline_ns = 0) const {
    return {.kind = kind, .flags = flags, .object = s, .deadline_ns = deadline_ns};
  }
  void set(int32_t value) { world.object(s).semaphore.value = value; }
  int64_t value() { return act(a, op(OpKind::SemGetValue)).value; }

  const ObjectId s = make(ObjectKind::Semaphore);
};

TEST_F(SemaphoreTest, WaitBlocksAtZero) {
  EXPECT_FALSE(can(a, op(OpKind::SemWait)));
  EXPECT_EQ(act(b, op(OpKind::SemPost)).error, 0);
  EXPECT_EQ(act(a, op(OpKind::SemWait)).error, 0);
  EXPECT_FALSE(can(a, op(OpKind::SemWait)));
}

TEST_F(SemaphoreTest, CountsWaitsAndPosts) {
  set(2);
  act(a, op(OpKind::SemWait));
  EXPECT_EQ(value(), 1);
  act(b, op(OpKind::SemPost));
  act(b, op(OpKind::SemPost));
  EXPECT_EQ(value(), 3);
}

TEST_F(SemaphoreTest, TryFailsAtZero) {
  EXPECT_EQ(act(a, op(OpKind::SemWait, kTry)).error, EAGAIN);
  set(1);
  EXPECT_EQ(act(a, op(OpKind::SemWait, kTry)).error, 0);
  EXPECT_EQ(value(), 0);
}

TEST_F(SemaphoreTest, TimedTimesOutAtZeroOnly) {
  EXPECT_EQ(act(a, op(OpKind::SemWait, kTimed, 3'000'000)).error, ETIMEDOUT);
  EXPECT_EQ(world.thread(a).clock_ns, 3'000'000);
  set(1);
  EXPECT_EQ(act(a, op(OpKind::SemWait, kTimed, 9'000'000)).error, 0);
  EXPECT_EQ(world.thread(a).clock_ns, 3'001'000);
}

TEST_F(SemaphoreTest, PostDoesNotGoPastTheLargestValue) {
  set(INT_MAX - 1);
  EXPECT_EQ(act(a, op(OpKind::SemPost)).error, 0);
  EXPECT_EQ(act(a, op(OpKind::SemPost)).error, EOVERFLOW);
  EXPECT_EQ(value(), INT_MAX);
}

TEST_F(SemaphoreTest, UsingItAfterDestroyIsAMisuse) {
  EXPECT_EQ(act(a, op(OpKind::SemDestroy)).misuse, Misuse::None);
  EXPECT_TRUE(can(b, op(OpKind::SemWait)));
  EXPECT_EQ(act(b, op(OpKind::SemWait)).misuse, Misuse::Destroyed);
}

TEST_F(SemaphoreTest, PostsDoNotSeeEachOthersTimeButTheWaitSeesBoth) {
  for (int i = 0; i < 10; ++i) act(a, {.kind = OpKind::Toss});
  act(a, op(OpKind::SemPost));
  act(b, op(OpKind::SemPost));
  EXPECT_EQ(world.thread(b).clock_ns, 1000);
  act(c, op(OpKind::SemWait));
  EXPECT_EQ(world.thread(c).clock_ns, 12'000);
}

}  // namespace
}  // namespace mazurka
