#include "kinds/sockets/socket.h"

#include <errno.h>

#include "objects/clock.h"
#include "objects/state_sink.h"

namespace mazurka {

void Address::add(const Entry& entry) { entries[count++] = entry; }

void Address::remove(ObjectId socket) {
  uint8_t kept = 0;
  for (uint8_t i = 0; i < count; ++i) {
    if (entries[i].socket != socket) entries[kept++] = entries[i];
  }
  for (uint8_t i = kept; i < count; ++i) entries[i] = Entry();
  count = kept;
}

namespace {

bool is_ip4(uint32_t host) { return host == kAnyHost4 || host > kAnyHost6; }

bool overlap(uint32_t a, uint32_t b) {
  if (a == b || a == kAnyHost || b == kAnyHost) return true;
  if (is_ip4(a) != is_ip4(b)) return false;
  return is_ip4(a) ? a == kAnyHost4 || b == kAnyHost4 : true;
}

Description& at(World& world, ObjectId id) { return world.object(id).description; }
const Description& at(const World& world, ObjectId id) { return world.object(id).description; }

bool listens(const World& world, ObjectId socket) {
  return at(world, socket).stage == SocketStage::Listening;
}

bool is_held(const World& world, ThreadId thread, ObjectId socket) {
  return at(world, socket).is_held_by(world.thread(thread).process);
}

bool is_internet(const World& world, ObjectId socket) {
  return world.object(at(world, socket).reads).channel.is_internet;
}

bool is_taken(const World& world, const Operation& op) {
  const Address& address = world.object(op.object).address;
  if (address.is_file) return true;
  for (uint32_t i = 0; i < address.count; ++i) {
    const Address::Entry& other = address.entries[i];
    const bool both_reuse = other.reuses && (op.desired & kReusesAddress) != 0;
    if (overlap(other.host, static_cast<uint32_t>(op.value)) &&
        (!both_reuse || listens(world, other.socket)))
      return true;
  }
  return address.count == Address::kMaxEntries;
}

Effect apply_bind(World& world, const Operation& op) {
  Address& address = world.object(op.object).address;
  Description& socket = at(world, op.second);
  if (socket.address != kNoObject) return {.error = EINVAL};
  if (is_taken(world, op)) return {.error = EADDRINUSE};
  address.add({op.second, static_cast<uint32_t>(op.value), (op.desired & kReusesAddress) != 0, {}});
  address.is_file = (op.desired & kIsFile) != 0;
  address.mode = static_cast<uint16_t>(op.desired >> 8);
  socket.address = op.object;
  return {};
}

// Several may be bound to one port; one of them may listen.
bool another_listens(const World& world, ObjectId socket) {
  const Address& address = world.object(at(world, socket).address).address;
  for (uint32_t i = 0; i < address.count; ++i) {
    if (address.entries[i].socket != socket) continue;
    for (uint32_t j = 0; j < address.count; ++j) {
      if (j != i && overlap(address.entries[i].host, address.entries[j].host) &&
          listens(world, address.entries[j].socket))
        return true;
    }
  }
  return false;
}

// Linux takes one more than the program asks for.
uint8_t queue_slots(int64_t backlog) {
  const int64_t most = kMostPieces;
  return static_cast<uint8_t>(backlog < 0 || backlog + 1 > most ? most : backlog + 1);
}

Effect apply_listen(World& world, const Operation& op) {
  Description& socket = at(world, op.object);
  if (socket.stage == SocketStage::Connected || socket.address == kNoObject)
    return {.error = EINVAL};
  if (socket.stage == SocketStage::Fresh && another_listens(world, op.object))
    return {.error = EADDRINUSE};
  Channel& queue = world.object(socket.reads).channel;
  socket.stage = SocketStage::Listening;
  queue.form = Channel::Form::Connections;
  queue.never_ends = true;
  queue.slots = queue_slots(op.value);
  return {};
}

// A name that nobody answers to.
int absence_error(const World& world, ObjectId address, int64_t flags) {
  return (flags & kIsFile) != 0 && !world.object(address).address.is_file ? ENOENT : ECONNREFUSED;
}

// What a connect would do now: 0, or an errno value; EAGAIN: the queue is full.
int connect_result(const World& world, const Operation& op) {
  const Description& socket = at(world, op.second);
  if (socket.stage == SocketStage::Listening)
    return is_internet(world, op.second) ? EISCONN : EINVAL;
  if (socket.stage == SocketStage::Connected) return EISCONN;
  const ObjectId listener = listener_at(world, op.object, static_cast<uint32_t>(op.value));
  if (listener == kNoObject) return absence_error(world, op.object, op.desired);
  const Channel& queue = world.object(at(world, listener).reads).channel;
  if (queue.shut) return ECONNREFUSED;
  return queue.used < queue.slots ? 0 : EAGAIN;
}

// The ends of the one who has not yet accepted are open, too.
void join_queue(World& world, ThreadId thread, const Operation& op, ObjectId listener) {
  Description& socket = at(world, op.second);
  Object& queue = world.object(at(world, listener).reads);
  see_and_show(world.thread(thread), queue);
  queue.channel.lengths[queue.channel.used++] = static_cast<uint16_t>(index(op.second));
  ++queue.channel.arrivals;
  ++world.object(socket.reads).channel.writers;
  ++world.object(socket.writes).channel.readers;
  socket.stage = SocketStage::Connected;
}

bool has_place(const World& world, ObjectId listener) {
  return world.object(at(world, listener).reads).channel.used < kMostPieces;
}

// The second call after one that did not wait: tells how that went.
Effect tell_connected(Description& socket) {
  const int error = socket.connect_error;
  socket.connect_error = 0;
  socket.is_connecting = false;
  return {.error = error, .value = -1};
}

// Datagrams: it says where those without an address go, and from where some are received.
Effect apply_connect_datagrams(World& world, const Operation& op) {
  Description& socket = at(world, op.second);
  const auto host = static_cast<uint32_t>(op.value);
  const bool is_there =
      is_internet(world, op.second) || receiver_at(world, op.object, host, op.second) != kNoObject;
  if (!is_there) return {.error = absence_error(world, op.object, op.desired), .value = -1};
  socket.peer = op.object;
  socket.peer_host = host;
  return {.value = -1};
}

Effect apply_connect(World& world, ThreadId thread, const Operation& op) {
  Description& socket = at(world, op.second);
  if (socket.stage == SocketStage::Datagrams) return apply_connect_datagrams(world, op);
  if (socket.is_connecting || socket.connect_error != 0) return tell_connected(socket);
  const bool later = socket.is_nonblocking && is_internet(world, op.second);
  const ObjectId listener = listener_at(world, op.object, static_cast<uint32_t>(op.value));
  int error = connect_result(world, op);
  // Until there is room the kernel would try again and again; the runtime names that it is let in
  // here.
  if (later && error == EAGAIN && has_place(world, listener)) error = 0;
  if (error != 0) {
    const bool tells_later = later && error == ECONNREFUSED;
    if (tells_later) socket.connect_error = ECONNREFUSED;
    return {.error = tells_later ? EINPROGRESS : error, .value = -1};
  }
  join_queue(world, thread, op, listener);
  socket.is_connecting = later;
  return {.error = later ? EINPROGRESS : 0, .value = static_cast<int64_t>(index(listener))};
}

int accept_result(const World& world, ThreadId thread, const Operation& op) {
  if (!is_held(world, thread, op.second)) return EBADF;
  if (at(world, op.second).stage != SocketStage::Listening) return EINVAL;
  const Channel& queue = world.object(op.object).channel;
  if (queue.used > 0) return 0;
  return queue.shut ? EINVAL : EAGAIN;
}

// The new description has the channels of the one who connected, the other way round; their ends
// are open already.
Effect apply_accept(World& world, ThreadId thread, const Operation& op) {
  ThreadState& me = world.thread(thread);
  Object& queue = world.object(op.object);
  if (!is_held(world, thread, op.second)) return {.error = EBADF};
  see(me, world.object(op.second));
  see(me, queue);
  if (const int error = accept_result(world, thread, op)) return {.error = error};
  const ObjectId from{static_cast<uint32_t>(queue.channel.take(1))};
  Description& made = at(world, ObjectId(static_cast<uint32_t>(op.value)));
  made.reads = at(world, from).writes;
  made.writes = at(world, from).reads;
  made.stage = SocketStage::Connected;
  made.add_holder(me.process);
  show(me, queue);
  return {.value = static_cast<int64_t>(index(from))};
}

// --- datagrams

// What sending would do now: 0, or an errno value. `to`: who gets it; kNoObject: it is lost, which
// only UDP does.
int send_result(const World& world, const Operation& op, ObjectId& to) {
  to = receiver_at(world, op.object, datagram_host(op), op.second);
  const bool is_udp = is_internet(world, op.second);
  if (to == kNoObject) return is_udp ? 0 : absence_error(world, op.object, op.desired);
  const Channel& queue = world.object(at(world, to).reads).channel;
  const bool fits = queue.used == 0 || (queue.used < queue.slots &&
                                        (op.value == 0 || queue.room(op.value, false) > 0));
  if (fits) return 0;
  to = kNoObject;
  return is_udp ? 0 : EAGAIN;
}

Outcomes enabled_send(const World& world, const Operation& op) {
  ObjectId to = kNoObject;
  const bool must_not_wait = (op.flags & kTry) != 0 || at(world, op.second).is_nonblocking;
  const int error = send_result(world, op, to);
  if (error == EAGAIN && !must_not_wait) return Outcomes::none();
  return (op.flags & kLossy) != 0 && to != kNoObject ? Outcomes::range(2) : Outcomes::one();
}

// The value of its effect: who gets it, or -1.
Effect apply_send(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
  ThreadState& me = world.thread(thread);
  ObjectId to = kNoObject;
  const ObjectId looked_at = receiver_at(world, op.object, datagram_host(op), op.second);
  const int error = send_result(world, op, to);
  if (looked_at != kNoObject) {
    see(me, world.object(looked_at));
    see(me, world.object(at(world, looked_at).reads));
  }
  if (error != 0 || to == kNoObject || outcome == 1) return {.error = error, .value = -1};
  Object& queue = world.object(at(world, to).reads);
  queue.channel.put(op.value, false);
  show(me, queue);
  return {.value = static_cast<int64_t>(index(to))};
}

Effect apply_look(Address& address, int64_t wanted) {
  constexpr int64_t kPermissions = 07777;
  if (!address.is_file) return {.error = ENOENT};
  if (wanted != 0)
    address.mode = static_cast<uint16_t>((address.mode & ~kPermissions) | (wanted & kPermissions));
  return {.value = address.mode};
}

Effect apply_unlink(Address& address) {
  if (!address.is_file) return {.error = ENOENT};
  address = Address();
  return {};
}

bool waits_for_room(const World& world, const Operation& op) {
  const Description& socket = at(world, op.second);
  if (socket.is_nonblocking || socket.is_connecting || socket.connect_error != 0) return false;
  return connect_result(world, op) == EAGAIN;
}

}  // namespace

ObjectId listener_at(const World& world, ObjectId id, uint32_t host) {
  const Address& address = world.object(id).address;
  ObjectId found = kNoObject;
  for (uint32_t i = 0; i < address.count; ++i) {
    const Address::Entry& entry = address.entries[i];
    if (!overlap(entry.host, host) || !listens(world, entry.socket)) continue;
    if (found == kNoObject || entry.host == host) found = entry.socket;
  }
  return found;
}

ObjectId receiver_at(const World& world, ObjectId id, uint32_t host, ObjectId sender) {
  const Address& address = world.object(id).address;
  ObjectId found = kNoObject;
  bool is_exact = false;
  for (uint32_t i = 0; i < address.count; ++i) {
    const Address::Entry& entry = address.entries[i];
    const Description& receiver = at(world, entry.socket);
    const bool listens_to_sender =
        receiver.peer == kNoObject || receiver.peer == at(world, sender).address;
    if (receiver.stage != SocketStage::Datagrams || !overlap(entry.host, host) ||
        !listens_to_sender)
      continue;
    if (is_exact && entry.host != host) continue;
    found = entry.socket;  // of several, the last one
    is_exact = entry.host == host;
  }
  return found;
}

namespace on_socket {

Outcomes connect_enabled(const World& world, ThreadId thread, const Operation& op) {
  if (!is_held(world, thread, op.second)) return Outcomes::one();
  return waits_for_room(world, op) ? Outcomes::none() : Outcomes::one();
}

Outcomes accept_enabled(const World& world, ThreadId thread, const Operation& op) {
  const bool waits =
      !at(world, op.second).is_nonblocking && accept_result(world, thread, op) == EAGAIN;
  return waits ? Outcomes::none() : Outcomes::one();
}

Outcomes send_enabled(const World& world, ThreadId thread, const Operation& op) {
  return is_held(world, thread, op.second) ? enabled_send(world, op) : Outcomes::one();
}

Effect bind(World& world, ThreadId thread, const Operation& op, Outcome) {
  if (!is_held(world, thread, op.second)) return {.error = EBADF};
  ThreadState& me = world.thread(thread);
  see_and_show(me, world.object(op.second));
  see_and_show(me, world.object(op.object));
  return apply_bind(world, op);
}

Effect listen(World& world, ThreadId thread, const Operation& op, Outcome) {
  if (!is_held(world, thread, op.object)) return {.error = EBADF};
  ThreadState& me = world.thread(thread);
  const Description& socket = at(world, op.object);
  see_and_show(me, world.object(op.object));
  if (socket.address != kNoObject) see_and_show(me, world.object(socket.address));
  see_and_show(me, world.object(socket.reads));
  return apply_listen(world, op);
}

Effect connect(World& world, ThreadId thread, const Operation& op, Outcome) {
  if (!is_held(world, thread, op.second)) return {.error = EBADF};
  ThreadState& me = world.thread(thread);
  see_and_show(me, world.object(op.second));
  see(me, world.object(op.object));
  return apply_connect(world, thread, op);
}

Effect accept(World& world, ThreadId thread, const Operation& op, Outcome) {
  return apply_accept(world, thread, op);
}

Effect send(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
  if (!is_held(world, thread, op.second)) return {.error = EBADF};
  ThreadState& me = world.thread(thread);
  see(me, world.object(op.second));
  see(me, world.object(op.object));
  return apply_send(world, thread, op, outcome);
}

}  // namespace on_socket

namespace on_address {

Effect look(World& world, ThreadId thread, const Operation& op, Outcome) {
  Object& object = world.object(op.object);
  see(world.thread(thread), object);
  if (op.value != 0) show(world.thread(thread), object);
  return apply_look(object.address, op.value);
}

Effect unlink(World& world, ThreadId thread, const Operation& op, Outcome) {
  see_and_show(world.thread(thread), world.object(op.object));
  return apply_unlink(world.object(op.object).address);
}

void state(const World& world, ObjectId id, StateSink& sink) {
  const Address& address = world.object(id).address;
  sink.add({address.is_file, address.mode, index(address.fifo)});
  for (uint32_t i = 0; i < address.count; ++i) {
    const Address::Entry& entry = address.entries[i];
    sink.add({index(entry.socket), entry.host, entry.reuses});
  }
}

}  // namespace on_address

void show_close(World& world, const ThreadState& closing, ObjectId id) {
  const Description& socket = at(world, id);
  if (socket.address != kNoObject) show(closing, world.object(socket.address));
  if (socket.stage != SocketStage::Listening) return;
  const Channel& queue = world.object(socket.reads).channel;
  for (uint32_t i = 0; i < queue.used; ++i) {
    const Description& waiting = at(world, ObjectId{queue.lengths[i]});
    show(closing, world.object(waiting.reads).channel.writers_clock_ns);
    show(closing, world.object(waiting.writes).channel.readers_clock_ns);
  }
}

void close_socket(World& world, ObjectId id) {
  const Description& socket = at(world, id);
  if (socket.address != kNoObject) world.object(socket.address).address.remove(id);
  if (socket.stage != SocketStage::Listening) return;
  Channel& queue = world.object(socket.reads).channel;
  while (queue.used > 0) {
    const Description& waiting = at(world, ObjectId{static_cast<uint32_t>(queue.take(1))});
    Channel& to = world.object(waiting.reads).channel;
    Channel& from = world.object(waiting.writes).channel;
    to.reset = from.has_refused = true;
    if (to.writers > 0) --to.writers;
    if (from.readers > 0) --from.readers;
  }
}

}  // namespace mazurka
