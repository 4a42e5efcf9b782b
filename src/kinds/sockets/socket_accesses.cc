// The accesses of operations on sockets that find each other by name. An address is one resource:
// closing adds to it, looking reads it, all else writes it. So is the queue of a socket that
// listens, its first channel.
//
// Connecting and sending write the address, although they do not change it: they depend on each
// other by the queue that they find there, but once that is closed nobody can say any more which
// one it was.
#include "kinds/sockets/socket.h"
#include "objects/asked.h"

namespace mazurka {

namespace on_socket {
namespace {

void connects(const Asked& asked, AccessList& out) {
  const World& world = asked.world;
  out.add(object_resource(asked.op.second), Mode::Write);
  out.add(object_resource(asked.op.object), Mode::Write);
  const Description& socket = world.object(asked.op.second).description;
  if (socket.stage == SocketStage::Datagrams) {
    // Who sends to its own address finds it there, or no more.
    if (socket.address != kNoObject) out.add(object_resource(socket.address), Mode::Write);
    return;
  }
  const ObjectId listener =
      listener_at(world, asked.op.object, static_cast<uint32_t>(asked.op.value));
  if (listener != kNoObject)
    out.add(object_resource(world.object(listener).description.reads), Mode::Write);
}

void listens(const Asked& asked, AccessList& out) {
  const Description& socket = asked.world.object(asked.op.object).description;
  out.add(object_resource(asked.op.object), Mode::Write);
  out.add(object_resource(socket.reads), Mode::Write);
  if (socket.address != kNoObject) out.add(object_resource(socket.address), Mode::Write);
}

// The number of the new descriptor depends on what the other threads of the process make.
void accepts(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.second), Mode::Read);
  out.add(object_resource(asked.op.object), Mode::Write);
  out.add(process_resource(asked.process(), kNumbers), Mode::Write);
}

void sends(const Asked& asked, AccessList& out) {
  const World& world = asked.world;
  out.add(object_resource(asked.op.second), Mode::Read);
  out.add(object_resource(asked.op.object), Mode::Write);
  const ObjectId to = receiver_at(world, asked.op.object, datagram_host(asked.op), asked.op.second);
  if (to == kNoObject) return;
  out.add(object_resource(to), Mode::Read);
  out.add(object_resource(world.object(to).description.reads), Mode::Write);
}

// False: the process has closed it, and it does no more than look.
bool is_held(const Asked& asked, ObjectId socket, AccessList& out) {
  out.add(hold_of(socket, asked.process()), Mode::Read);
  if (asked.world.object(socket).description.is_held_by(asked.process()) || asked.possible)
    return true;
  out.add(object_resource(asked.op.object), Mode::Read);
  return false;
}

}  // namespace

void bind_accesses(const Asked& asked, AccessList& out) {
  if (!is_held(asked, asked.op.second, out)) return;
  out.add(object_resource(asked.op.second), Mode::Write);
  out.add(object_resource(asked.op.object), Mode::Write);
}

void listen_accesses(const Asked& asked, AccessList& out) {
  if (is_held(asked, asked.op.object, out)) listens(asked, out);
}

void connect_accesses(const Asked& asked, AccessList& out) {
  if (is_held(asked, asked.op.second, out)) connects(asked, out);
}

void accept_accesses(const Asked& asked, AccessList& out) {
  if (is_held(asked, asked.op.second, out)) accepts(asked, out);
}

void send_accesses(const Asked& asked, AccessList& out) {
  if (is_held(asked, asked.op.second, out)) sends(asked, out);
}

}  // namespace on_socket

namespace on_address {

void look_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), asked.op.value == 0 ? Mode::Read : Mode::Write);
}

void unlink_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), Mode::Write);
}

}  // namespace on_address

}  // namespace mazurka
