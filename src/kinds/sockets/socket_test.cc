#include "kinds/sockets/socket.h"

#include <errno.h>
#include <poll.h>

#include "objects/world_fixture.h"

namespace mazurka {
namespace {

constexpr uint32_t kLoopback4 = 0x7f000001;

class SocketTest : public WorldFixture {
 protected:
  ObjectId make_channel(bool is_tcp) {
    const ObjectId id = make(ObjectKind::Channel);
    Channel& channel = world.object(id).channel;
    channel.form = Channel::Form::Stream;
    channel.is_socket = true;
    channel.is_internet = is_tcp;
    return id;
  }
  ObjectId make_socket(bool is_tcp = true) {
    const ObjectId in = make_channel(is_tcp);
    const ObjectId out = make_channel(is_tcp);
    const ObjectId id = make(ObjectKind::Description);
    Description& socket = world.object(id).description;
    socket.reads = in;
    socket.writes = out;
    socket.stage = SocketStage::Fresh;
    EXPECT_EQ(act(a, {.kind = OpKind::DescriptionOpen, .object = id}).error, 0);
    return id;
  }
  ObjectId listening_at(uint32_t host, int64_t backlog) {
    const ObjectId socket = make_socket();
    EXPECT_EQ(act(a, bind(socket, host)).error, 0);
    EXPECT_EQ(act(a, listen(socket, backlog)).error, 0);
    return socket;
  }

  Operation bind(ObjectId socket, uint32_t host, int64_t flags = 0) const {
    return {.kind = OpKind::SocketBind,
            .object = port,
            .second = socket,
            .value = host,
            .desired = flags};
  }
  Operation listen(ObjectId socket, int64_t backlog) const {
    return {.kind = OpKind::SocketListen, .object = socket, .value = backlog};
  }
  Operation connect(ObjectId socket, uint32_t host = kLoopback4) const {
    return {.kind = OpKind::SocketConnect, .object = port, .second = socket, .value = host};
  }
  Operation accept(ObjectId listener, ObjectId made) const {
    return {.kind = OpKind::SocketAccept,
            .object = world.object(listener).description.reads,
            .second = listener,
            .value = static_cast<int64_t>(index(made))};
  }
  Operation transfer(OpKind kind, ObjectId socket) const {
    const Description& description = world.object(socket).description;
    return {.kind = kind,
            .object = kind == OpKind::ChannelRead ? description.reads : description.writes,
            .second = socket,
            .value = 10};
  }
  Operation close(ObjectId socket) const {
    return {.kind = OpKind::DescriptionClose, .object = socket};
  }

  const ObjectId port = make(ObjectKind::Address);
};

TEST_F(SocketTest, AHostIsTakenWhereAnotherOverlapsIt) {
  ASSERT_EQ(act(a, bind(make_socket(), kLoopback4)).error, 0);
  EXPECT_EQ(act(a, bind(make_socket(), kAnyHost4)).error, EADDRINUSE);
  EXPECT_EQ(act(a, bind(make_socket(), kAnyHost)).error, EADDRINUSE);
  EXPECT_EQ(act(a, bind(make_socket(), kLoopback4 + 1)).error, 0);
  EXPECT_EQ(act(a, bind(make_socket(), kAnyHost6)).error, 0);
}

TEST_F(SocketTest, OfSeveralThatReuseAnAddressOneListens) {
  const ObjectId first = make_socket();
  const ObjectId second = make_socket();
  ASSERT_EQ(act(a, bind(first, kAnyHost4, kReusesAddress)).error, 0);
  ASSERT_EQ(act(a, bind(second, kAnyHost4, kReusesAddress)).error, 0);
  EXPECT_EQ(act(a, listen(first, 1)).error, 0);
  EXPECT_EQ(act(a, listen(second, 1)).error, EADDRINUSE);
  EXPECT_EQ(act(a, bind(make_socket(), kAnyHost4, kReusesAddress)).error, EADDRINUSE);
}

TEST_F(SocketTest, ConnectWaitsWhileTheQueueIsFull) {
  const ObjectId listener = listening_at(kAnyHost4, 0);
  const ObjectId late = make_socket();
  EXPECT_EQ(act(a, connect(make_socket())).error, 0);
  EXPECT_FALSE(can(b, connect(late)));
  EXPECT_EQ(act(a, accept(listener, make(ObjectKind::Description))).error, 0);
  EXPECT_TRUE(can(b, connect(late)));
}

TEST_F(SocketTest, ClosingTheOneThatListensResetsThoseWhoWait) {
  const ObjectId listener = listening_at(kLoopback4, 4);
  const ObjectId client = make_socket();
  ASSERT_EQ(act(b, connect(client)).error, 0);
  ASSERT_FALSE(can(b, transfer(OpKind::ChannelRead, client)));
  ASSERT_EQ(act(a, close(listener)).error, 0);
  EXPECT_EQ(act(b, transfer(OpKind::ChannelRead, client)).error, ECONNRESET);
  EXPECT_EQ(act(b, transfer(OpKind::ChannelRead, client)).value, 0);
  EXPECT_EQ(act(b, transfer(OpKind::ChannelWrite, client)).error, EPIPE);
  EXPECT_EQ(act(b, connect(make_socket())).error, ECONNREFUSED);
}

TEST_F(SocketTest, TheFirstWriteToAClosedConnectionOfTcpIsLost) {
  const ObjectId listener = listening_at(kLoopback4, 4);
  const ObjectId client = make_socket();
  const ObjectId server = make(ObjectKind::Description);
  ASSERT_EQ(act(b, connect(client)).error, 0);
  ASSERT_EQ(act(a, accept(listener, server)).value, static_cast<int64_t>(index(client)));
  ASSERT_EQ(act(a, close(server)).error, 0);
  EXPECT_EQ(act(b, transfer(OpKind::ChannelWrite, client)).value, 10);
  EXPECT_EQ(act(b, transfer(OpKind::ChannelWrite, client)).error, EPIPE);
}

TEST_F(SocketTest, AConnectThatDoesNotWaitTellsOnceHowItWent) {
  const ObjectId client = make_socket();
  world.object(client).description.is_nonblocking = true;
  EXPECT_EQ(act(b, connect(client)).error, EINPROGRESS);
  EXPECT_TRUE(ready_events(world, a, client, POLLOUT) & POLLERR);
  const Operation take{.kind = OpKind::DescriptionSet,
                       .object = client,
                       .value = static_cast<int64_t>(DescriptionChange::TakeError)};
  EXPECT_EQ(act(b, take).value, ECONNREFUSED);
  EXPECT_EQ(act(b, take).value, 0);
}

}  // namespace
}  // namespace mazurka
