// What the runtime keeps of sockets beside their models (kinds/sockets/socket.h): their addresses
// and options. The kernel's sockets behind them are all of the UNIX domain, with abstract names
// that no other execution has: they carry the bytes, and they wait in the kernel's queues in the
// order in which the model has them.
#pragma once

#include <sys/socket.h>

#include "runtime/core/runtime.h"

namespace mazurka {

// The record of a socket that was made by socket or accept, or null.
SocketRecord* socket_record(ObjectId description);
// The same for a descriptor of this process; null also if the socket has been given up.
SocketRecord* socket_record_of(int fd);
SocketRecord& add_socket_record(ObjectId description);

bool is_internet(const SocketRecord& record);

// Where an address leads.
struct SocketName {
  ObjectId address = kNoObject;
  uint32_t host = 0;
  int64_t flags = 0;           // kIsFile
  bool is_outside = false;     // another machine, or a family without a model
  const char* path = nullptr;  // of a file
};
// Returns an errno value: it is no address of this socket's family.
int find_name(const SocketRecord& record, const sockaddr* address, socklen_t length,
              SocketName& found);
// A path of the file system in the UNIX domain, whatever its spelling.
ObjectId address_of_path(const char* path);

// unlink of a path where the kernel has no file. False: it has one.
bool unlink_address(const char* path, int& result, Call call);
bool is_real_file(const char* path);
// False: the program has no such name, and nobody could make it meanwhile.
bool may_have_name(const char* path);

// From here on it is a socket of the kernel's own, with the kernel's defaults for its options.
// `why` is named.
void go_outside(SocketRecord& record, const char* why, Call call);
// A socket of UDP gets a port when it sends. Returns an errno value.
int bind_if_needed(SocketRecord& record, Call call);
// 0.0.0.0 and :: as a sender or destination are this machine's loopback.
void set_loopback_if_any(sockaddr* address);

// The port that this socket gets when it asks for any: the n-th to be tried.
uint16_t free_port(const SocketRecord& record, uint32_t n);
uint16_t port_of(const sockaddr* address);
void set_port(sockaddr* address, uint16_t port);

void remember_address(StoredAddress& to, const sockaddr* address, socklen_t length);
// As getsockname and its like do: cut to the room that there is. Requires both pointers.
void give_address(const StoredAddress& from, sockaddr* address, socklen_t* length);

// So that what the model lets through never waits.
void make_carrier_roomy(int fd);
// What the kernel's own socket of this description is called.
struct CarrierName {
  sockaddr* address() { return reinterpret_cast<sockaddr*>(bytes); }
  socklen_t length = 0;
  alignas(8) char bytes[110] = {};
};
CarrierName carrier_name(ObjectId description);

}  // namespace mazurka
