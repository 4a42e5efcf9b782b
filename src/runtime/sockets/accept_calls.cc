// accept, and who is at which end of a connection.
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>

#include "runtime/channels/descriptors.h"
#include "runtime/core/blocking.h"
#include "runtime/core/failure.h"
#include "runtime/core/raw.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/sockets/sockets.h"

namespace mazurka {
namespace {

constexpr int kTypeFlags = SOCK_CLOEXEC | SOCK_NONBLOCK;

const Description& at(ObjectId id) { return world().object(id).description; }

bool has_free_descriptor(int fd) {
  const long probe = program_syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 0);
  if (raw_failed(probe)) return fail(static_cast<int>(-probe)) == 0;
  program_syscall(SYS_close, probe);
  return true;
}

// The other side's addresses, the other way round.
void add_accepted_record(ObjectId description, const SocketRecord& listener, ObjectId from) {
  const SocketRecord* const client = socket_record(from);
  const uint32_t birth = listener.birth;
  SocketRecord& record = add_socket_record(description);
  record.domain = listener.domain;
  record.type = listener.type;
  record.birth = birth;
  record.local = client->peer;
  record.peer = client->local;
}

int accept_from(int fd, sockaddr* address, socklen_t* length, int flags, Call call) {
  SocketRecord* const listener = socket_record_of(fd);
  if (listener == nullptr) {
    await_ready(fd, POLLIN, call);
    return REAL(accept4)(fd, address, length, flags);
  }
  if (flags & ~kTypeFlags) return fail(EINVAL);
  if (at(listener->description).stage == SocketStage::Datagrams) return fail(EOPNOTSUPP);
  if (!has_free_descriptor(fd)) return -1;
  // Its name is used again by the next one if nobody is accepted.
  const uint32_t number = world().thread(current_thread()).made + 1;
  const ObjectId made = make_description("socket", number, "", kNoObject, kNoObject);
  const Effect effect = reach({.kind = OpKind::SocketAccept,
                               .object = at(listener->description).reads,
                               .second = listener->description,
                               .value = static_cast<int64_t>(index(made))},
                              call);
  if (effect.error != 0) return fail(effect.error);
  if (next_number() != number)
    runtime_error("a signal handler has made descriptors while its thread waited in accept");
  const long accepted = program_syscall(SYS_accept4, fd, 0, 0, flags);
  if (raw_failed(accepted)) runtime_error("a connection of the program cannot be accepted");
  world().object(made).description.is_nonblocking = (flags & SOCK_NONBLOCK) != 0;
  world().touch(made);
  make_carrier_roomy(static_cast<int>(accepted));
  add_descriptor(static_cast<int>(accepted), made, (flags & SOCK_CLOEXEC) != 0);
  add_accepted_record(made, *listener, ObjectId(static_cast<uint32_t>(effect.value)));
  if (address != nullptr && length != nullptr)
    give_address(socket_record(made)->peer, address, length);
  return static_cast<int>(accepted);
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int accept(int fd, sockaddr* __restrict address, socklen_t* __restrict length) {
  return attached() ? accept_from(fd, address, length, 0, MAZURKA_HERE)
                    : REAL(accept)(fd, address, length);
}

MAZURKA_EXPORT int accept4(int fd, sockaddr* __restrict address, socklen_t* __restrict length,
                           int flags) {
  return attached() ? accept_from(fd, address, length, flags, MAZURKA_HERE)
                    : REAL(accept4)(fd, address, length, flags);
}

MAZURKA_EXPORT int getsockname(int fd, sockaddr* __restrict address,
                               socklen_t* __restrict length) noexcept {
  const SocketRecord* const record = attached() ? socket_record_of(fd) : nullptr;
  if (record == nullptr || address == nullptr || length == nullptr)
    return REAL(getsockname)(fd, address, length);
  give_address(record->local, address, length);
  return 0;
}

MAZURKA_EXPORT int getpeername(int fd, sockaddr* __restrict address,
                               socklen_t* __restrict length) noexcept {
  const SocketRecord* const record = attached() ? socket_record_of(fd) : nullptr;
  if (record == nullptr || address == nullptr || length == nullptr)
    return REAL(getpeername)(fd, address, length);
  const Description& description = at(record->description);
  if (description.stage != SocketStage::Connected && description.peer == kNoObject)
    return fail(ENOTCONN);
  give_address(record->peer, address, length);
  return 0;
}
