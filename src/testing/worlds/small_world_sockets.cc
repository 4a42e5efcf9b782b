// The worlds of sockets that find each other by name, for accesses_test.cc.
#include <poll.h>

#include "kinds/sockets/socket.h"
#include "testing/worlds/small_world.h"

namespace mazurka {
namespace {

using Menu = std::vector<MenuItem>;

constexpr ThreadId kA{0};
constexpr ThreadId kB{1};  // of the same process
constexpr ThreadId kC{2};  // another process, which holds the same descriptions
constexpr uint32_t kJustA = 1;
constexpr ObjectId kPort{0};
constexpr ObjectId kQueue{1};
constexpr ObjectId kUnused{2};
constexpr ObjectId kServer{3};
constexpr ObjectId kToClient{4};
constexpr ObjectId kFromClient{5};
constexpr ObjectId kClient{6};
constexpr ObjectId kAccepted{7};
constexpr ObjectId kAcceptedByB{8};
constexpr ObjectId kToOther{9};
constexpr ObjectId kFromOther{10};
constexpr ObjectId kOther{11};  // a client, too
constexpr ObjectId kOtherPort{12};

struct Kind {
  const char* name;
  bool is_internet;
  int64_t flags;  // of bind and connect
};

void make_socket(World& world, ObjectId id, ObjectId reads, ObjectId writes, const Kind& kind) {
  for (const ObjectId channel_id : {reads, writes}) {
    Channel& channel = world.create_object(channel_id, ObjectKind::Channel, kNoProcess).channel;
    channel.form = Channel::Form::Stream;
    channel.slots = 1;
    channel.is_socket = true;
    channel.is_internet = kind.is_internet;
  }
  Description& made = world.create_object(id, ObjectKind::Description, kNoProcess).description;
  made.reads = reads;
  made.writes = writes;
  made.stage = SocketStage::Fresh;
  made.add_holder(kA);
  world.object(reads).channel.readers = world.object(writes).channel.writers = 1;
}

void set_up(World& world, const Kind& kind) {
  world.create_thread(kA, kNoThread, kA);
  world.create_object(kPort, ObjectKind::Address, kNoProcess);
  make_socket(world, kServer, kQueue, kUnused, kind);
  make_socket(world, kClient, kToClient, kFromClient, kind);
  for (const ObjectId id : {kAccepted, kAcceptedByB}) {
    Description& accepted =
        world.create_object(id, ObjectKind::Description, kNoProcess).description;
    accepted.reads = kFromClient;
    accepted.writes = kToClient;
    accepted.stage = SocketStage::Fresh;
  }
  world.create_thread(kB, kA, kA);
  world.create_thread(kC, kA, kC);
}

Operation bind_to_port(ObjectId socket, const Kind& kind) {
  return {.kind = OpKind::SocketBind, .object = kPort, .second = socket, .desired = kind.flags};
}
Operation connect_to_port(const Kind& kind, ObjectId socket = kClient) {
  return {.kind = OpKind::SocketConnect, .object = kPort, .second = socket, .desired = kind.flags};
}
Operation listen_with(int64_t backlog) {
  return {.kind = OpKind::SocketListen, .object = kServer, .value = backlog};
}
Operation accept_one(ObjectId as = kAccepted) {
  return {.kind = OpKind::SocketAccept, .object = kQueue, .second = kServer, .value = index(as)};
}
Operation close_of(ObjectId socket) { return {.kind = OpKind::DescriptionClose, .object = socket}; }
Operation set(ObjectId id, DescriptionChange change) {
  return {.kind = OpKind::DescriptionSet, .object = id, .value = static_cast<int64_t>(change)};
}

MenuItem item(const char* name, const Operation& op, uint32_t who = ~0u) {
  MenuItem made{keep(name), op};
  made.who = who;
  return made;
}

void add_polls(SmallWorldCase& made) {
  static constexpr OpPart kParts[] = {polled(kServer, POLLIN), polled(kClient, POLLIN | POLLOUT)};
  for (uint32_t i = 0; i < 2; ++i) {
    const Operation poll{.kind = OpKind::Poll, .flags = kTry, .part_begin = i, .part_count = 1};
    made.menu.push_back(item(i == 0 ? "poll server" : "poll client", poll));
  }
  made.set_up = [before = made.set_up](World& world) {
    before(world);
    for (const OpPart& part : kParts) world.parts[world.part_count++] = part;
  };
}

// Who is there at all.
SmallWorldCase meeting(const Kind& kind, bool with_polls) {
  SmallWorldCase made;
  made.name = std::string(kind.name) + (with_polls ? ", meeting, polls" : ", meeting");
  made.menu = {item("bind", bind_to_port(kServer, kind)),
               item("listen", listen_with(0)),
               item("connect", connect_to_port(kind)),
               item("accept", accept_one(), kJustA),
               item("close server", close_of(kServer)),
               item("close client", close_of(kClient)),
               item("do not block", set(kClient, DescriptionChange::NonBlocking))};
  if (!with_polls) {
    made.menu.push_back(item("accept, too", accept_one(kAcceptedByB), 2));
    made.menu.push_back(item("bind client", bind_to_port(kClient, kind)));
    made.menu.push_back(item("take error", set(kClient, DescriptionChange::TakeError)));
    made.menu.push_back(item("shut server", set(kServer, DescriptionChange::ShutRead)));
    if (kind.flags & kIsFile)
      made.menu.push_back(item("unlink", {.kind = OpKind::AddressUnlink, .object = kPort}));
  }
  made.set_up = [kind](World& world) { set_up(world, kind); };
  if (with_polls) add_polls(made);
  return made;
}

void listen_at_port(World& world, const Kind& kind, int64_t backlog) {
  set_up(world, kind);
  on_socket::bind(world, kA, bind_to_port(kServer, kind), kOnlyOutcome);
  on_socket::listen(world, kA, listen_with(backlog), kOnlyOutcome);
}

Operation transfer(OpKind what, ObjectId channel, ObjectId socket) {
  return {.kind = what, .flags = kTry, .object = channel, .second = socket, .value = kPageBytes};
}

// And what they say to each other.
SmallWorldCase talking(const Kind& kind) {
  SmallWorldCase made;
  made.name = std::string(kind.name) + ", talking";
  made.menu = {item("connect", connect_to_port(kind)),
               item("accept", accept_one(), kJustA),
               item("client writes", transfer(OpKind::ChannelWrite, kFromClient, kClient)),
               item("client reads", transfer(OpKind::ChannelRead, kToClient, kClient)),
               item("server writes", transfer(OpKind::ChannelWrite, kToClient, kAccepted), kJustA),
               item("server reads", transfer(OpKind::ChannelRead, kFromClient, kAccepted), kJustA),
               item("close connection", close_of(kAccepted), kJustA),
               item("close server", close_of(kServer)),
               item("close client", close_of(kClient)),
               item("client shuts both", set(kClient, DescriptionChange::ShutBoth)),
               item("take error", set(kClient, DescriptionChange::TakeError))};
  made.set_up = [kind](World& world) { listen_at_port(world, kind, 0); };
  return made;
}

// Who comes second waits in the queue, or for a place there.
SmallWorldCase two_clients(const Kind& kind, int64_t backlog) {
  SmallWorldCase made;
  made.name = std::string(kind.name) + (backlog == 0 ? ", no place for two" : ", place for two");
  made.menu = {item("connect", connect_to_port(kind), kJustA),
               item("connect, too", connect_to_port(kind, kOther), 2),
               item("reads", transfer(OpKind::ChannelRead, kToOther, kOther), 2),
               item("writes", transfer(OpKind::ChannelWrite, kFromOther, kOther), 2),
               item("accept", accept_one(), kJustA),
               item("close server", close_of(kServer), kJustA),
               item("close server, too", close_of(kServer), 4)};  // the last one resets all
  made.set_up = [kind, backlog](World& world) {
    listen_at_port(world, kind, backlog);
    make_socket(world, kOther, kToOther, kFromOther, kind);
  };
  return made;
}

// --- datagrams: what was a server is a receiver, what was a client sends

void make_datagram_sockets(World& world, const Kind& kind) {
  set_up(world, kind);
  for (const ObjectId id : {kServer, kClient}) {
    Description& socket = world.object(id).description;
    Channel& queue = world.object(socket.reads).channel;
    socket.stage = SocketStage::Datagrams;
    socket.writes = kNoObject;
    queue.form = Channel::Form::Messages;
    queue.slots = 2;
    queue.never_ends = true;
  }
}

SmallWorldCase datagrams(const Kind& kind, uint8_t flags) {
  const Operation send{.kind = OpKind::DatagramSend,
                       .flags = flags,
                       .object = kPort,
                       .second = kClient,
                       .value = 16,
                       .desired = kind.flags};
  Operation try_send = send;
  try_send.flags |= kTry;
  try_send.value = 32;
  Operation receive{.kind = OpKind::ChannelRead,
                    .flags = flags,
                    .object = kQueue,
                    .second = kServer,
                    .value = 100};
  SmallWorldCase made;
  made.name = std::string(kind.name) + (flags != 0 ? ", lossy datagrams" : ", datagrams");
  made.menu = {item("bind", bind_to_port(kServer, kind)), item("send", send),
               item("try to send more", try_send),        item("receive", receive),
               item("connect", connect_to_port(kind)),    item("close receiver", close_of(kServer)),
               item("close sender", close_of(kClient))};
  if (kind.flags & kIsFile)
    made.menu.push_back(item("unlink", {.kind = OpKind::AddressUnlink, .object = kPort}));
  if (kind.flags & kIsFile)
    made.menu.push_back(item("look", {.kind = OpKind::AddressLook, .object = kPort}));
  if (kind.flags & kIsFile)
    made.menu.push_back(item(
        "chmod", {.kind = OpKind::AddressLook, .object = kPort, .value = kChangesMode | 0600}));
  made.set_up = [kind](World& world) { make_datagram_sockets(world, kind); };
  return made;
}

// Whether a datagram arrives depends on more than its address.
SmallWorldCase datagrams_elsewhere(const Kind& kind) {
  SmallWorldCase made;
  made.name = std::string(kind.name) + ", datagrams from elsewhere";
  const Operation send{.kind = OpKind::DatagramSend,
                       .object = kPort,
                       .second = kClient,
                       .value = 16,
                       .desired = kind.flags};
  const Operation elsewhere{.kind = OpKind::SocketConnect,
                            .object = kOtherPort,
                            .second = kServer,
                            .desired = kind.flags};
  made.menu = {item("send", send),
               item("try to receive", transfer(OpKind::ChannelRead, kQueue, kServer)),
               item("receive from elsewhere", elsewhere),
               item("do not block", set(kClient, DescriptionChange::NonBlocking)),
               item("close receiver", close_of(kServer))};
  made.set_up = [kind](World& world) {
    make_datagram_sockets(world, kind);
    for (const ObjectId id : {kToOther, kFromOther, kOther})
      world.create_object(id, ObjectKind::Event, kNoProcess);
    world.create_object(kOtherPort, ObjectKind::Address, kNoProcess);
    on_socket::bind(world, kA, bind_to_port(kServer, kind), kOnlyOutcome);
  };
  return made;
}

// --- FIFOs: each thread has a description of its own for each way to open it

SmallWorldCase fifo() {
  SmallWorldCase made;
  made.name = "FIFO";
  made.menu = {item("make", {.kind = OpKind::FifoMake, .object = kPort, .second = kQueue}),
               item("unlink", {.kind = OpKind::AddressUnlink, .object = kPort})};
  const auto add = [&](const char* name, ThreadId who, ObjectId end, int64_t mode, int64_t before) {
    const uint32_t bit = 1u << index(who);
    const bool reads = (mode & kOpensToRead) != 0;
    made.menu.push_back(
        item(name, {.kind = OpKind::FifoOpen, .object = kPort, .second = end, .value = mode}, bit));
    made.menu.push_back(item("close", close_of(end), bit));
    made.menu.push_back(item(
        "wait", {.kind = OpKind::FifoWait, .object = kQueue, .second = end, .value = before}, bit));
    made.menu.push_back(item(reads ? "read" : "write",
                             {.kind = reads ? OpKind::ChannelRead : OpKind::ChannelWrite,
                              .flags = kTry,
                              .object = kQueue,
                              .second = end,
                              .value = kPageBytes},
                             bit));
  };
  add("open to read", kA, kServer, kOpensToRead, 0);
  made.menu.push_back(item("peek",
                           {.kind = OpKind::ChannelRead,
                            .flags = kTry | kPeek,
                            .object = kQueue,
                            .second = kServer,
                            .value = kPageBytes},
                           kJustA));
  add("open to write", kB, kClient, kOpensToWrite, 0);
  add("open to write at once", kC, kAccepted, kOpensToWrite | kOpensAtOnce, 1);
  made.set_up = [](World& world) {
    world.create_thread(kA, kNoThread, kA);
    world.create_object(kPort, ObjectKind::Address, kNoProcess);
    world.create_object(kQueue, ObjectKind::Channel, kNoProcess).channel.slots = 1;
    for (const ObjectId id : {kServer, kClient, kAccepted})
      world.create_object(id, ObjectKind::Description, kNoProcess);
    for (const ObjectId id : {kUnused, kToClient, kFromClient})
      world.create_object(id, ObjectKind::Event, kNoProcess);
    world.create_thread(kB, kA, kA);
    world.create_thread(kC, kA, kC);
  };
  return made;
}

}  // namespace

std::vector<SmallWorldCase> small_world_sockets() {
  const Kind tcp{"TCP", true, 0};
  const Kind path{"path", false, kIsFile};
  return {meeting(tcp, false),
          meeting(tcp, true),
          meeting(path, false),
          talking(tcp),
          talking(path),
          datagrams(tcp, 0),
          datagrams(tcp, kLossy),
          datagrams(path, 0),
          datagrams_elsewhere(tcp),
          datagrams_elsewhere(path),
          two_clients(tcp, 1),
          two_clients(path, 0),
          two_clients(path, 1),
          fifo()};
}

}  // namespace mazurka
