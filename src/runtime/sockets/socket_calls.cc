// socket, bind, listen and connect. Sockets of TCP, UDP and the UNIX domain have a model
// (kinds/sockets/socket.h). What leads outside of the program is the kernel's from then on, and
// named.
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "runtime/channels/descriptors.h"
#include "runtime/core/failure.h"
#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/files/private_files.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/sockets/address_files.h"
#include "runtime/sockets/sockets.h"

namespace mazurka {
namespace {

constexpr int kTypeFlags = SOCK_CLOEXEC | SOCK_NONBLOCK;

const Description& at(ObjectId id) { return world().object(id).description; }
const Channel& queue_of(ObjectId listener) { return world().object(at(listener).reads).channel; }

// --- making

bool has_model(int domain, int type, int protocol) {
  const int kind = type & ~kTypeFlags;
  if (domain == AF_UNIX)
    return (kind == SOCK_STREAM || kind == SOCK_SEQPACKET || kind == SOCK_DGRAM) && protocol == 0;
  const bool is_tcp = kind == SOCK_STREAM && (protocol == 0 || protocol == IPPROTO_TCP);
  const bool is_udp = kind == SOCK_DGRAM && (protocol == 0 || protocol == IPPROTO_UDP);
  return (is_tcp || is_udp) && (domain == AF_INET || domain == AF_INET6);
}

NewChannel channel_of(int domain, int kind) {
  const bool is_stream = kind == SOCK_STREAM;
  return {.form = is_stream ? Channel::Form::Stream : Channel::Form::Messages,
          .slots = is_stream ? kSocketPieces : kSocketMessages,
          .is_socket = true,
          .never_ends = kind == SOCK_DGRAM,
          .is_internet = domain != AF_UNIX};
}

void name_carrier(int fd, ObjectId description) {
  CarrierName name = carrier_name(description);
  REAL(bind)(fd, name.address(), name.length);  // fails the second time, and may
}

// An address of this family that says nothing.
StoredAddress no_address(int domain) {
  StoredAddress none{};
  reinterpret_cast<sockaddr*>(none.bytes)->sa_family = static_cast<sa_family_t>(domain);
  none.length = domain == AF_INET    ? sizeof(sockaddr_in)
                : domain == AF_INET6 ? sizeof(sockaddr_in6)
                                     : sizeof(sa_family_t);
  return none;
}

int make_socket(int domain, int type, int protocol, Call call) {
  if (!has_model(domain, type, protocol)) {
    name_unmodelled("socket", call);
    return REAL(socket)(domain, type, protocol);
  }
  need_fork("socket");
  const int kind = type & ~kTypeFlags;
  const uint32_t number = next_number();
  const ObjectId in = make_channel("socket", number, " (in)", channel_of(domain, kind));
  const bool is_stream = kind != SOCK_DGRAM;
  const ObjectId out =
      is_stream ? make_channel("socket", number, " (out)", channel_of(domain, kind)) : kNoObject;
  const ObjectId description = make_description("socket", number, "", in, out);
  Description& made = world().object(description).description;
  made.is_nonblocking = (type & SOCK_NONBLOCK) != 0;
  made.stage = is_stream ? SocketStage::Fresh : SocketStage::Datagrams;
  SocketRecord& record = add_socket_record(description);
  record.domain = static_cast<uint16_t>(domain);
  record.type = static_cast<uint16_t>(kind);
  record.birth = slot_of(current_thread()) * 32u + number;
  record.local = record.peer = no_address(domain);
  open_descriptions(description, kNoObject, call);
  const long fd = program_syscall(SYS_socket, AF_UNIX, type, 0);
  if (raw_failed(fd)) return number_with_errno(fd);
  make_carrier_roomy(static_cast<int>(fd));
  if (!is_stream) name_carrier(static_cast<int>(fd), description);
  add_descriptor(static_cast<int>(fd), description, (type & SOCK_CLOEXEC) != 0);
  return static_cast<int>(fd);
}

// --- outside

// Whether somebody outside of the program listens there.
bool listens_outside(const SocketRecord& record, const sockaddr* address, socklen_t length) {
  const long probe = program_syscall(SYS_socket, record.domain, record.type | SOCK_CLOEXEC, 0);
  if (raw_failed(probe)) return false;
  const long connected = program_syscall(SYS_connect, probe, address_of(address), length);
  program_syscall(SYS_close, probe);
  return !raw_failed(connected);
}

// --- binding and listening

Effect reach_bind(const SocketRecord& record, const SocketName& name, Call call) {
  return reach({.kind = OpKind::SocketBind,
                .object = name.address,
                .second = record.description,
                .value = name.host,
                .desired = bind_flags(name.path != nullptr ? S_IFSOCK | umasked(0777) : 0,
                                      name.flags | (record.reuses ? kReusesAddress : 0))},
               call);
}

// Port 0: the next one that is free, of those that this socket would try.
int bind_to_free_port(SocketRecord& record, const sockaddr* wanted, socklen_t length, Call call) {
  StoredAddress chosen;
  remember_address(chosen, wanted, length);
  auto* const address = reinterpret_cast<sockaddr*>(chosen.bytes);
  for (uint32_t n = 0;; ++n) {
    set_port(address, free_port(record, n));
    SocketName name;
    if (const int error = find_name(record, address, length, name)) return error;
    const int error = reach_bind(record, name, call).error;
    if (error == 0) record.local = chosen;
    if (error != EADDRINUSE) return error;
  }
}

// A name without any: one that nobody else has.
int bind_to_free_name(SocketRecord& record, Call call) {
  sockaddr_un chosen{};
  chosen.sun_family = AF_UNIX;
  snprintf(chosen.sun_path + 1, 6, "%05x", record.birth);
  const socklen_t length = offsetof(sockaddr_un, sun_path) + 6;
  SocketName name;
  find_name(record, reinterpret_cast<const sockaddr*>(&chosen), length, name);
  const int error = reach_bind(record, name, call).error;
  if (error == 0)
    remember_address(record.local, reinterpret_cast<const sockaddr*>(&chosen), length);
  return error;
}

int bind_record(SocketRecord& record, const sockaddr* address, socklen_t length, Call call) {
  if (!is_internet(record) && length == sizeof(sa_family_t)) return bind_to_free_name(record, call);
  SocketName name;
  if (const int error = find_name(record, address, length, name)) return error;
  if (name.is_outside) return EADDRNOTAVAIL;
  if (is_internet(record) && port_of(address) == 0)
    return bind_to_free_port(record, address, length, call);
  if (name.path != nullptr) {
    need_private_addresses();
    note_made_address(call);
  }
  if (is_real_file(name.path)) return EADDRINUSE;
  const int error = reach_bind(record, name, call).error;
  if (error == 0) remember_address(record.local, address, length);
  return error;
}

int bind_socket(int fd, const sockaddr* address, socklen_t length, Call call) {
  SocketRecord* const record = socket_record_of(fd);
  if (record == nullptr) return REAL(bind)(fd, address, length);
  const int error = bind_record(*record, address, length, call);
  return error == 0 ? 0 : fail(error);
}

// The kernel's queue is longer than any of the model's.
void listen_with_carrier(int fd, ObjectId description) {
  name_carrier(fd, description);
  if (REAL(listen)(fd, SOMAXCONN) != 0) runtime_error("a socket of the program cannot listen");
}

int listen_at(int fd, int backlog, Call call) {
  SocketRecord* const record = socket_record_of(fd);
  if (record == nullptr) return REAL(listen)(fd, backlog);
  const ObjectId description = record->description;
  if (at(description).stage == SocketStage::Datagrams) return fail(EOPNOTSUPP);
  if (const int error = bind_if_needed(*record, call)) return fail(error);
  const Effect effect =
      reach({.kind = OpKind::SocketListen, .object = description, .value = backlog}, call);
  if (effect.error != 0) return fail(effect.error);
  listen_with_carrier(fd, description);
  return 0;
}

// --- connecting

// Who connects without an address of its own gets one of the loopback.
void choose_local_address(SocketRecord& record, const sockaddr* to, socklen_t length) {
  if (!is_internet(record)) return;
  auto* const local = reinterpret_cast<sockaddr*>(record.local.bytes);
  const uint16_t bound_port = port_of(local);
  remember_address(record.local, to, length);
  set_port(local, bound_port != 0 ? bound_port : free_port(record, 0));
}

void connect_carrier(int fd, ObjectId listener, Call call) {
  const Channel& queue = queue_of(listener);
  if (queue.used > queue.slots)
    name_unmodelled("a connect that does not wait, to a queue that is full", call);
  CarrierName name = carrier_name(listener);
  if (REAL(connect)(fd, name.address(), name.length) != 0)
    runtime_error("two sockets of the program cannot be connected");
}

int connect_outside(int fd, SocketRecord& record, const sockaddr* address, socklen_t length,
                    Call call) {
  go_outside(record, "a connection to somebody outside of the program", call);
  return REAL(connect)(fd, address, length);
}

void to_loopback(sockaddr* address, SocketName& name) {
  set_loopback_if_any(address);
  if (name.host == kAnyHost4) name.host = INADDR_LOOPBACK;
  if (name.host == kAnyHost || name.host == kAnyHost6) name.host = kLoopback6;
}

int connect_socket(int fd, const sockaddr* address, socklen_t length, Call call) {
  SocketRecord* const record = socket_record_of(fd);
  if (record == nullptr) return REAL(connect)(fd, address, length);
  if (address != nullptr && address->sa_family == AF_UNSPEC) {
    name_unmodelled("connect with AF_UNSPEC", call);
    return fail(EAFNOSUPPORT);
  }
  SocketName name;
  if (const int error = find_name(*record, address, length, name)) return fail(error);
  if (name.is_outside) return connect_outside(fd, *record, address, length, call);
  StoredAddress to;
  remember_address(to, address, length);
  auto* const destination = reinterpret_cast<sockaddr*>(to.bytes);
  if (is_internet(*record)) to_loopback(destination, name);
  const bool is_datagrams = at(record->description).stage == SocketStage::Datagrams;
  if (is_datagrams) {
    if (const int error = bind_if_needed(*record, call)) return fail(error);
  }
  if (at(record->description).stage == SocketStage::Fresh &&
      !at(record->description).is_connecting) {
    choose_local_address(*record, destination, to.length);
    record->peer = to;
  }
  const Effect effect = reach({.kind = OpKind::SocketConnect,
                               .object = name.address,
                               .second = record->description,
                               .value = name.host,
                               .desired = name.flags},
                              call);
  if (is_datagrams && effect.error == 0) {
    record->peer = to;
    choose_local_address(*record, destination, to.length);
    return 0;
  }
  const bool is_refused = effect.error == ECONNREFUSED || effect.error == ENOENT ||
                          at(record->description).connect_error == ECONNREFUSED;
  if (is_refused && listens_outside(*record, destination, to.length))
    return connect_outside(fd, *record, address, length, call);
  if (effect.value >= 0 && (effect.error == 0 || effect.error == EINPROGRESS))
    connect_carrier(fd, ObjectId(static_cast<uint32_t>(effect.value)), call);
  return effect.error == 0 ? 0 : fail(effect.error);
}

}  // namespace

void go_outside(SocketRecord& record, const char* why, Call call) {
  const ObjectId description = record.description;
  give_up_model(description, why, call);
  const int flags = at(description).is_nonblocking ? SOCK_NONBLOCK : 0;
  const long real = program_syscall(SYS_socket, record.domain, record.type | flags, 0);
  if (raw_failed(real)) return;
  each_descriptor([&](const DescriptorRecord& known) {
    if (known.description == description)
      program_syscall(SYS_dup3, real, known.fd, known.closes_on_exec ? O_CLOEXEC : 0);
  });
  program_syscall(SYS_close, real);
}

int bind_if_needed(SocketRecord& record, Call call) {
  if (!is_internet(record) || at(record.description).address != kNoObject) return 0;
  const StoredAddress any = no_address(record.domain);
  return bind_to_free_port(record, reinterpret_cast<const sockaddr*>(any.bytes), any.length, call);
}

}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int socket(int domain, int type, int protocol) noexcept {
  return attached() ? make_socket(domain, type, protocol, MAZURKA_HERE)
                    : REAL(socket)(domain, type, protocol);
}

MAZURKA_EXPORT int bind(int fd, const sockaddr* address, socklen_t length) noexcept {
  return attached() ? bind_socket(fd, address, length, MAZURKA_HERE)
                    : REAL(bind)(fd, address, length);
}

MAZURKA_EXPORT int listen(int fd, int backlog) noexcept {
  return attached() ? listen_at(fd, backlog, MAZURKA_HERE) : REAL(listen)(fd, backlog);
}

MAZURKA_EXPORT int connect(int fd, const sockaddr* address, socklen_t length) {
  return attached() ? connect_socket(fd, address, length, MAZURKA_HERE)
                    : REAL(connect)(fd, address, length);
}
