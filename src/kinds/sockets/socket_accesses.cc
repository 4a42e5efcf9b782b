// The accesses of operations on sockets that find each other by name. An address is one resource:
// closing adds to it, looking reads it, all else writes it. So is the queue of a socket that
// listens, its first channel.
//
// Connecting and sending write the address, although they do not change it: they depend on each
// other by the queue that they find there, but once that is closed nobody can say any more which
// one it was.
#include "kinds/sockets/socket.h"
#include "objects/object_accesses.h"

namespace mazurka {
namespace {

void connect_accesses(const Asked& asked, AccessList& out) {
  const World& world = asked.world;
  out.add(object_resource(asked.op.second), Mode::Write);
  out.add(object_resource(asked.op.object), Mode::Write);
  if (world.object(asked.op.second).description.stage == SocketStage::Datagrams) return;
  const ObjectId listener =
      listener_at(world, asked.op.object, static_cast<uint32_t>(asked.op.value));
  if (listener != kNoObject)
    out.add(object_resource(world.object(listener).description.reads), Mode::Write);
}

void listen_accesses(const Asked& asked, AccessList& out) {
  const Description& socket = asked.world.object(asked.op.object).description;
  out.add(object_resource(asked.op.object), Mode::Write);
  out.add(object_resource(socket.reads), Mode::Write);
  if (socket.address != kNoObject) out.add(object_resource(socket.address), Mode::Write);
}

// The number of the new descriptor depends on what the other threads of the process make.
void accept_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.second), Mode::Read);
  out.add(object_resource(asked.op.object), Mode::Write);
  out.add(process_resource(asked.world.thread(asked.thread).process, kNumbers), Mode::Write);
}

void send_accesses(const Asked& asked, AccessList& out) {
  const World& world = asked.world;
  out.add(object_resource(asked.op.second), Mode::Read);
  out.add(object_resource(asked.op.object), Mode::Write);
  const ObjectId to = receiver_at(world, asked.op.object, datagram_host(asked.op), asked.op.second);
  if (to == kNoObject) return;
  out.add(object_resource(to), Mode::Read);
  out.add(object_resource(world.object(to).description.reads), Mode::Write);
}

}  // namespace

void socket_accesses(const Asked& asked, AccessList& out) {
  const ProcessId process = asked.world.thread(asked.thread).process;
  if (asked.op.kind == OpKind::AddressLook)
    return out.add(object_resource(asked.op.object),
                   asked.op.value == 0 ? Mode::Read : Mode::Write);
  if (asked.op.kind == OpKind::AddressUnlink)
    return out.add(object_resource(asked.op.object), Mode::Write);
  const ObjectId socket = asked.op.kind == OpKind::SocketListen ? asked.op.object : asked.op.second;
  out.add(hold_of(socket, process), Mode::Read);
  if (!asked.world.object(socket).description.is_held_by(process) && !asked.possible)
    return out.add(object_resource(asked.op.object), Mode::Read);
  switch (asked.op.kind) {
    case OpKind::SocketBind:
      out.add(object_resource(socket), Mode::Write);
      return out.add(object_resource(asked.op.object), Mode::Write);
    case OpKind::SocketListen:
      return listen_accesses(asked, out);
    case OpKind::SocketConnect:
      return connect_accesses(asked, out);
    case OpKind::DatagramSend:
      return send_accesses(asked, out);
    default:
      return accept_accesses(asked, out);
  }
}

// Opening changes who can read and write, and how often that was so.
void fifo_accesses(const Asked& asked, AccessList& out) {
  const World& world = asked.world;
  const Operation& op = asked.op;
  if (op.kind == OpKind::FifoMake) return out.add(object_resource(op.object), Mode::Write);
  if (op.kind == OpKind::FifoWait) {
    const bool waits_for_writer = world.object(op.second).description.writes == kNoObject;
    return out.add(object_resource(op.object, waits_for_writer ? kWriteEnds : kReadEnds),
                   Mode::Read);
  }
  out.add(object_resource(op.object), Mode::Read);
  const ObjectId channel = fifo_at(world, op);
  if (channel == kNoObject) return;
  constexpr uint8_t kParts[] = {kWhole, kReadEnds, kWriteEnds};
  for (const uint8_t part : kParts) out.add(object_resource(channel, part), Mode::Write);
  out.add(process_resource(world.thread(asked.thread).process, kNumbers), Mode::Write);
}

}  // namespace mazurka
