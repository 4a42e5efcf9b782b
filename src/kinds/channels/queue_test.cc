#include "kinds/channels/queue.h"

#include <errno.h>

#include "objects/accesses.h"
#include "objects/world_fixture.h"

namespace mazurka {
namespace {

class QueueTest : public WorldFixture {
 protected:
  QueueTest() {
    world.object(posix).queue.most = 2;
    world.object(system_v).queue.form = Queue::Form::SystemV;
    world.object(system_v).queue.most = 10;
  }
  Operation send(ObjectId queue, int64_t type, int64_t length = 1, uint8_t flags = 0) {
    return {.kind = OpKind::QueueSend,
            .flags = flags,
            .object = queue,
            .value = length,
            .desired = type};
  }
  Operation receive(ObjectId queue, int64_t type = 0, uint8_t flags = 0) {
    return {
        .kind = OpKind::QueueReceive, .flags = flags, .object = queue, .value = 8, .desired = type};
  }
  bool commute(const Operation& x, const Operation& y) const {
    return commute_here(world, a, x, kOnlyOutcome, b, y, kOnlyOutcome);
  }

  const ObjectId posix = make(ObjectKind::Queue);
  const ObjectId system_v = make(ObjectKind::Queue);
};

TEST_F(QueueTest, AFullQueueBlocksASendAndAnEmptyOneAReceive) {
  EXPECT_FALSE(can(a, receive(posix)));
  act(a, send(posix, 0));
  act(a, send(posix, 0));
  EXPECT_FALSE(can(a, send(posix, 0)));
  EXPECT_EQ(act(a, send(posix, 0, 1, kTry)).error, EAGAIN);
  EXPECT_EQ(act(a, send(posix, 0, 1, kTimed)).error, ETIMEDOUT);
  EXPECT_EQ(act(b, receive(posix)).thread, a);
  EXPECT_TRUE(can(a, send(posix, 0)));
}

TEST_F(QueueTest, TheHighestPriorityComesFirstThenTheOldest) {
  world.object(posix).queue.most = 4;
  act(a, send(posix, 1, 1));
  act(a, send(posix, 5, 2));
  act(b, send(posix, 5, 3));
  act(b, send(posix, 0, 4));
  for (const int64_t length : {2, 3, 1, 4}) EXPECT_EQ(act(c, receive(posix)).value, length);
}

TEST_F(QueueTest, AReceiveChoosesByType) {
  act(a, send(system_v, 3, 1));
  act(a, send(system_v, 2, 2));
  act(a, send(system_v, 1, 3));
  act(a, send(system_v, 2, 4));
  EXPECT_FALSE(can(b, receive(system_v, 4)));
  EXPECT_EQ(act(b, receive(system_v, 4, kTry)).error, ENOMSG);
  EXPECT_EQ(act(b, receive(system_v, 2)).value, 2);
  EXPECT_EQ(act(b, receive(system_v, -3)).value, 3);          // the least type
  EXPECT_EQ(act(b, receive(system_v, 3, kExcept)).value, 4);  // the first that is not 3
  EXPECT_FALSE(can(b, receive(system_v, 3, kExcept)));
  EXPECT_EQ(act(b, receive(system_v)).value, 1);
}

TEST_F(QueueTest, ALongMessageStaysUnlessItMayBeCut) {
  act(a, send(system_v, 1, 9));
  EXPECT_EQ(act(b, receive(system_v)).error, E2BIG);
  EXPECT_EQ(world.object(system_v).queue.count, 1u);
  EXPECT_EQ(act(b, receive(system_v, 0, kCut)).value, 9);
}

TEST_F(QueueTest, BytesAndMessagesAreLimited) {
  act(a, send(system_v, 1, 6));
  EXPECT_FALSE(can(a, send(system_v, 1, 5)));
  EXPECT_TRUE(can(a, send(system_v, 1, 4)));
  for (int i = 0; i < 9; ++i) act(a, send(system_v, 1, 0));
  EXPECT_FALSE(can(a, send(system_v, 1, 0)));
}

TEST_F(QueueTest, RemovalIsToldToThoseWhoWait) {
  act(a, send(system_v, 1));
  EXPECT_FALSE(can(b, receive(system_v, 2)));
  act(a, {.kind = OpKind::QueueRemove, .object = system_v});
  EXPECT_EQ(act(b, receive(system_v, 2)).error, EIDRM);
  EXPECT_EQ(act(c, receive(system_v, 1)).error, EINVAL);
  EXPECT_EQ(act(c, receive(system_v, 2, kTry)).error, EINVAL);
  EXPECT_EQ(act(c, {.kind = OpKind::QueueRemove, .object = system_v}).error, EINVAL);
}

TEST_F(QueueTest, SendAndReceiveCommuteUnlessTheMessageGoesFirst) {
  world.object(posix).queue.most = 3;
  EXPECT_FALSE(commute(receive(posix, 0, kTry), send(posix, 0)));
  act(a, send(posix, 1));
  EXPECT_TRUE(commute(receive(posix), send(posix, 1)));
  EXPECT_FALSE(commute(receive(posix), send(posix, 2)));
  EXPECT_TRUE(commute(send(posix, 1), send(posix, 2)));
  EXPECT_FALSE(commute(send(posix, 1), send(posix, 1)));
  act(a, send(posix, 1));
  EXPECT_FALSE(commute(send(posix, 1), send(posix, 2)));  // one place is left
  EXPECT_FALSE(commute(receive(posix), receive(posix)));
  act(a, send(system_v, 2));
  EXPECT_FALSE(commute(send(system_v, 1), send(system_v, 2)));
  EXPECT_TRUE(commute(receive(system_v, 3, kTry), send(system_v, 1)));
  EXPECT_FALSE(commute(receive(system_v, 3, kTry), send(system_v, 3)));
  EXPECT_FALSE(commute(receive(system_v, -2), send(system_v, 1)));
}

}  // namespace
}  // namespace mazurka
