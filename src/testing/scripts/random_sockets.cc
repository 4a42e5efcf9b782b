#include "testing/scripts/random_sockets.h"

#include <poll.h>

namespace mazurka {

ObjectId RandomSockets::socket_channel(SocketStage stage, bool is_open_for_reading) {
  return out_.script.add({.kind = ObjectKind::Channel,
                          .value = 1 + out_.dice.below(2),
                          .robust = is_internet_,
                          .stage = stage,
                          .is_held = is_open_for_reading});
}

RandomSockets::Socket RandomSockets::make_socket(SocketStage stage) {
  Socket made;
  made.reads = socket_channel(stage, true);
  if (stage != SocketStage::Datagrams) made.writes = socket_channel(stage, false);
  made.description = out_.script.add({.kind = ObjectKind::Description,
                                      .stage = stage,
                                      .reads = made.reads,
                                      .writes = made.writes});
  return made;
}

void RandomSockets::make() {
  is_internet_ = out_.dice.one_in(2);
  const SocketStage stage = out_.dice.one_in(3) ? SocketStage::Datagrams : SocketStage::Fresh;
  is_for_datagrams_ = stage == SocketStage::Datagrams;
  address_ = out_.script.add({.kind = ObjectKind::Address});
  server_ = make_socket(stage);
  client_ = make_socket(stage);
}

int64_t RandomSockets::address_flags() const { return is_internet_ ? 0 : kIsFile; }

void RandomSockets::bind_server() {
  out_.operation({.kind = OpKind::SocketBind,
                  .object = address_,
                  .second = server_.description,
                  .desired = address_flags()});
}

void RandomSockets::listen() {
  out_.operation(
      {.kind = OpKind::SocketListen, .object = server_.description, .value = out_.dice.below(2)});
}

void RandomSockets::open_server() {
  bind_server();
  if (!is_for_datagrams_) listen();
}

void RandomSockets::socket_operation() {
  const uint32_t chosen = out_.dice.below(12);
  if (chosen == 0) return bind_server();
  if (chosen == 1) {
    const OpKind kind = out_.dice.one_in(2) ? OpKind::AddressUnlink : OpKind::AddressLook;
    const bool changes = kind == OpKind::AddressLook && out_.dice.one_in(3);
    out_.operation({.kind = kind, .object = address_, .value = changes ? kChangesMode | 0640 : 0});
    return out_.maybe_branch(Instruction::Test::ErrorIs, 0);
  }
  if (chosen == 2) {
    const ObjectId closed = out_.dice.one_in(2) ? server_.description : client_.description;
    return out_.operation({.kind = OpKind::DescriptionClose, .object = closed});
  }
  if (chosen == 3) return poll_sockets();
  return is_for_datagrams_ ? datagram_operation() : stream_operation(chosen);
}

void RandomSockets::poll_sockets() {
  const std::vector<OpPart> parts{polled(server_.description, POLLIN),
                                  polled(client_.description, POLLIN | POLLOUT)};
  out_.operation(out_.script.with_parts(
      {.kind = OpKind::Poll, .flags = out_.random_flags(), .deadline_ns = kDeadlineNs}, parts));
  out_.maybe_branch(Instruction::Test::ValueIs, 0);
}

void RandomSockets::datagram_operation() {
  if (out_.dice.one_in(2)) {
    out_.operation({.kind = OpKind::DatagramSend,
                    .flags = flag_if(kLossy, is_internet_ && out_.dice.one_in(2)),
                    .object = address_,
                    .second = client_.description,
                    .value = 16,
                    .desired = datagram_flags(kAnyHost4, address_flags())});
    return out_.maybe_branch(Instruction::Test::ErrorIs, 0);
  }
  out_.operation({.kind = OpKind::ChannelRead,
                  .flags = flag_if(kLossy, is_internet_),
                  .object = server_.reads,
                  .second = server_.description,
                  .value = 100});
  out_.maybe_branch(Instruction::Test::ValueIs, 0);
}

void RandomSockets::transfer(OpKind kind, ObjectId channel, ObjectId socket) {
  out_.operation({.kind = kind,
                  .flags = out_.random_flags(),
                  .object = channel,
                  .second = socket,
                  .value = 4096,
                  .deadline_ns = kDeadlineNs});
  out_.maybe_branch(
      kind == OpKind::ChannelRead ? Instruction::Test::ValueIs : Instruction::Test::ErrorIs, 0);
}

void RandomSockets::stream_operation(uint32_t chosen) {
  if (chosen == 4) return listen();
  if (chosen < 7) {
    out_.operation({.kind = OpKind::SocketConnect,
                    .object = address_,
                    .second = client_.description,
                    .desired = address_flags()});
    return out_.maybe_branch(Instruction::Test::ErrorIs, 0);
  }
  if (chosen < 10) return accept();
  if (chosen == 10) return transfer(OpKind::ChannelWrite, client_.writes, client_.description);
  transfer(OpKind::ChannelRead, client_.reads, client_.description);
}

// Each has a description of its own for what it accepts; it reads or writes what the client has at
// the other end.
void RandomSockets::accept() {
  const ObjectId made = out_.script.add(
      {.kind = ObjectKind::Description, .stage = SocketStage::Fresh, .is_held = false});
  out_.operation({.kind = OpKind::SocketAccept,
                  .object = server_.reads,
                  .second = server_.description,
                  .value = static_cast<int64_t>(index(made))});
  if (out_.dice.one_in(3)) return transfer(OpKind::ChannelWrite, client_.reads, made);
  if (out_.dice.one_in(2)) return transfer(OpKind::ChannelRead, client_.writes, made);
}

}  // namespace mazurka
