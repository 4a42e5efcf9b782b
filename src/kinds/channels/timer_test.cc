#include "kinds/channels/timer.h"

#include <errno.h>
#include <poll.h>

#include "objects/world_fixture.h"

namespace mazurka {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

class TimerTest : public WorldFixture {
 protected:
  TimerTest() {
    for (const ObjectId end : {blocking, nonblocking}) {
      world.object(end).description.reads = timer;
      world.object(end).description.add_holder(a);
    }
    world.object(nonblocking).description.is_nonblocking = true;
  }
  Operation set(int64_t when, int64_t interval = 0) {
    return {.kind = OpKind::TimerSet,
            .object = timer,
            .second = blocking,
            .value = when,
            .desired = interval};
  }
  Operation read(ObjectId end) {
    return {.kind = OpKind::TimerRead, .object = timer, .second = end};
  }
  Operation poll(uint8_t flags = 0, int64_t deadline = 0) {
    world.parts[world.part_count] = polled(blocking, POLLIN);
    Operation op{.kind = OpKind::Poll,
                 .flags = static_cast<uint8_t>(flags | kMayExpire),
                 .part_begin = world.part_count++,
                 .part_count = 1};
    op.deadline_ns = deadline;
    return op;
  }

  const ObjectId timer = make(ObjectKind::Timer);
  const ObjectId blocking = make(ObjectKind::Description);
  const ObjectId nonblocking = make(ObjectKind::Description);
};

TEST_F(TimerTest, AReadWaitsUntilItIsSetAndIsAtThatTimeThen) {
  EXPECT_FALSE(can(b, read(blocking)));
  act(a, set(kSecond));
  EXPECT_EQ(act(b, read(blocking)).value, 1);
  EXPECT_GE(world.thread(b).clock_ns, kSecond);
  EXPECT_FALSE(can(b, read(blocking)));  // once
}

TEST_F(TimerTest, WithoutWaitingItMayHaveExpiredOrNot) {
  EXPECT_EQ(act(b, read(nonblocking)).error, EAGAIN);
  act(a, set(kSecond));
  EXPECT_EQ(outcomes(b, read(nonblocking)), (std::vector<Outcome>{kNotYet, kExpired}));
  EXPECT_EQ(act(b, read(nonblocking), kNotYet).error, EAGAIN);
  EXPECT_EQ(act(b, read(nonblocking), kExpired).value, 1);
}

TEST_F(TimerTest, WhoComesLaterFindsThatItHasExpired) {
  act(a, set(kSecond));
  world.thread(b).clock_ns = 2 * kSecond;
  EXPECT_EQ(act(b, read(nonblocking)).value, 1);
}

TEST_F(TimerTest, IntervalsAreCounted) {
  act(a, set(kSecond, kSecond));
  EXPECT_EQ(act(a, read(blocking)).value, 1);
  world.thread(a).clock_ns = 4 * kSecond;
  EXPECT_EQ(act(a, read(blocking)).value, 3);
  EXPECT_EQ(outcomes(a, read(nonblocking)).size(), 2u);
}

TEST_F(TimerTest, APollWaitsForItOrGivesUpBefore) {
  EXPECT_FALSE(can(b, poll()));
  act(a, set(kSecond));
  EXPECT_EQ(outcomes(b, poll()), std::vector<Outcome>{1});
  EXPECT_EQ(outcomes(b, poll(kTry)), (std::vector<Outcome>{0, 1}));
  EXPECT_EQ(outcomes(b, poll(kTimed, kSecond / 2)), std::vector<Outcome>{0});
  EXPECT_EQ(outcomes(b, poll(kTimed, 2 * kSecond)), std::vector<Outcome>{1});
  EXPECT_EQ(act(b, poll(kTimed, kSecond / 2)).value, 0);
  EXPECT_EQ(act(b, poll()).value, 1);
  EXPECT_GE(world.thread(b).clock_ns, kSecond);
}

TEST_F(TimerTest, TimersExpireInTheOrderOfTheirTimes) {
  const ObjectId later = make(ObjectKind::Timer);
  const ObjectId end = make(ObjectKind::Description);
  world.object(end).description.reads = later;
  world.object(end).description.add_holder(a);
  world.object(later).timer.expires_ns = 2 * kSecond;
  act(a, set(kSecond));
  Operation both = poll();
  world.parts[world.part_count++] = polled(end, POLLIN);
  both.part_count = 2;
  EXPECT_EQ(outcomes(b, both), (std::vector<Outcome>{1, 2}));
  EXPECT_EQ(act(b, both, 1).value, 1);
  EXPECT_EQ(act(c, both, 2).value, 2);
}

}  // namespace
}  // namespace mazurka
