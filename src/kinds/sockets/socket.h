// The models of sockets that find each other by name: addresses (a port, a name of the UNIX
// domain), listening and connecting. Once they are connected, sockets are two channels
// (kinds/channels/channel.h) like those that socketpair makes.
//
// A socket has its two channels from the start. `connect` puts its description into the queue of
// the one that listens, and from then on the other ends of its channels are open, too; `accept`
// takes the first out and makes the description of the other side.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "objects/op_functions.h"
#include "objects/operation.h"

namespace mazurka {

struct World;
struct Outcomes;
struct ThreadState;

// Which of the machine's addresses; beside these, IPv4 addresses are themselves (127.0.0.1 is
// 0x7f000001). Names of the UNIX domain have no host: kAnyHost4.
inline constexpr uint32_t kAnyHost4 = 0;   // 0.0.0.0
inline constexpr uint32_t kLoopback6 = 1;  // ::1
inline constexpr uint32_t kAnyHost = 2;    // ::, which takes IPv4, too
inline constexpr uint32_t kAnyHost6 = 3;   // :: with IPV6_V6ONLY

// What is bound to the same port, or to a name. A name that is a file stays until it is unlinked.
struct Address {
  struct Entry {
    ObjectId socket = kNoObject;
    uint32_t host = kAnyHost4;
    bool reuses = false;  // SO_REUSEADDR when it was bound
    uint8_t padding[3] = {};
  };
  static constexpr uint32_t kMaxEntries = 8;

  uint8_t count = 0;
  bool is_file = false;       // and it exists
  uint16_t mode = 0;          // of the file: what it is, and its permissions
  ObjectId fifo = kNoObject;  // the channel of a FIFO
  Entry entries[kMaxEntries];

  // Requires that there is room.
  void add(const Entry& entry);
  void remove(ObjectId socket);
};
static_assert(std::is_trivially_copyable_v<Address>);

// Bits of Operation::desired of SocketBind and SocketConnect.
inline constexpr int64_t kReusesAddress = 1;
inline constexpr int64_t kIsFile = 2;  // the address is a path
// SocketBind has the mode of the file there, too; FifoMake has it as its value.
constexpr int64_t bind_flags(uint32_t mode, int64_t flags) { return int64_t{mode} << 8 | flags; }
// AddressLook: `value` is 0, or this with the new permissions. The effect's value is the mode.
inline constexpr int64_t kChangesMode = 1 << 16;
// DatagramSend has the host there, too.
constexpr int64_t datagram_flags(uint32_t host, int64_t flags) {
  return int64_t{host} << 8 | flags;
}
constexpr uint32_t datagram_host(const Operation& op) {
  return static_cast<uint32_t>(op.desired >> 8);
}
// FifoOpen: `value` is how; `desired` is kIsReal, and the channel for that case above it.
inline constexpr int64_t kOpensToRead = 1;
inline constexpr int64_t kOpensToWrite = 2;
inline constexpr int64_t kOpensAtOnce = 4;  // O_NONBLOCK
// The kernel has the file; the program did not make it.
inline constexpr int64_t kIsReal = 1;

// Operations on sockets. The effect's value of SocketConnect is the description that listens (or
// -1), that of SocketAccept the description that connected.

// What closing a socket does to the clocks of what it touches, for each process that closes it;
// and, when the last one has closed it, to the rest: the address is free, and those who wait in its
// queue are reset.
void show_close(World& world, const ThreadState& closing, ObjectId socket);
void close_socket(World& world, ObjectId socket);

// The description that listens at this address for this host, or kNoObject.
ObjectId listener_at(const World& world, ObjectId address, uint32_t host);

// The description that gets a datagram from `sender` to this address and host, or kNoObject.
ObjectId receiver_at(const World& world, ObjectId address, uint32_t host, ObjectId sender);

// FIFOs (kinds/sockets/fifo.cc). The channel that FifoOpen finds, or kNoObject.
ObjectId fifo_at(const World& world, const Operation& op);

namespace on_socket {

EnabledFunction connect_enabled, accept_enabled, send_enabled;
ApplyFunction bind, listen, connect, accept, send;
AccessFunction bind_accesses, listen_accesses, connect_accesses, accept_accesses, send_accesses;

}  // namespace on_socket

namespace on_address {

ApplyFunction look, unlink;
AccessFunction look_accesses, unlink_accesses;
StateFunction state;

}  // namespace on_address

namespace on_fifo {

EnabledFunction wait_enabled;
ApplyFunction make, open, wait;
AccessFunction make_accesses, open_accesses, wait_accesses;

}  // namespace on_fifo

}  // namespace mazurka
