// Reading and writing. What leads to a channel with a model goes there (channel_calls.cc). Of other
// pipes, sockets and their like the makers were named already (unmodelled_calls.cc); here we only
// see to it that the real call does not block. Files are read and written as ever.
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/channels/channel_calls.h"
#include "runtime/channels/descriptors.h"
#include "runtime/channels/timerfd_calls.h"
#include "runtime/core/blocking.h"
#include "runtime/core/raw.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/syscalls/watched_calls.h"

namespace mazurka {
namespace {

// Whether a long write may be cut into pieces: what comes out at the other end is the same.
bool is_stream(int fd) {
  int type = SOCK_STREAM;
  socklen_t length = sizeof type;
  program_syscall(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, address_of(&type), address_of(&length));
  return type == SOCK_STREAM;
}

// What fits for sure into a pipe or stream that is ready.
constexpr size_t kPiece = PIPE_BUF;

// `put(bytes, count)` writes some. As a blocking write does, goes on until all is written.
template <typename Put>
ssize_t write_in_pieces(int fd, const void* bytes, size_t count, Call call, Put&& put) {
  const bool whole = count <= kPiece || other_side(fd) == OtherSide::Nobody || is_nonblocking(fd) ||
                     !is_stream(fd);
  if (whole) {
    await_ready(fd, POLLOUT, call);
    return put(bytes, count);
  }
  size_t done = 0;
  while (done < count) {
    await_ready(fd, POLLOUT, call);
    const size_t left = count - done;
    const ssize_t written =
        put(static_cast<const char*>(bytes) + done, left < kPiece ? left : kPiece);
    if (written < 0) return done > 0 ? static_cast<ssize_t>(done) : written;
    done += static_cast<size_t>(written);
  }
  return static_cast<ssize_t>(count);
}

void await_message(int fd, short events, int flags, Call call) {
  if (!(flags & MSG_DONTWAIT)) await_ready(fd, events, call);
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

// NOLINTBEGIN(bugprone-macro-parentheses): types, names, and lists that have their own
// A call that may block until the descriptor, its first argument, is ready; `modelled` is what it
// is with a model.
#define MAZURKA_AWAITING(events, result, name, parameters, arguments, modelled) \
  MAZURKA_EXPORT result name parameters {                                       \
    if (attached()) {                                                           \
      const Call call = MAZURKA_HERE;                                           \
      if (description_of(fd) != kNoObject) return modelled;                     \
      await_ready(fd, events, call);                                            \
    }                                                                           \
    return REAL(name) arguments;                                                \
  }
// The same for what may read a timer.
#define MAZURKA_READING(name, parameters, arguments, modelled, of_timer) \
  MAZURKA_EXPORT ssize_t name parameters {                               \
    if (attached()) {                                                    \
      const Call call = MAZURKA_HERE;                                    \
      if (is_timer(fd)) return of_timer;                                 \
      if (description_of(fd) != kNoObject) return modelled;              \
      await_ready(fd, POLLIN, call);                                     \
    }                                                                    \
    return REAL(name) arguments;                                         \
  }
// The same, unless the flags say that it must not.
#define MAZURKA_AWAITING_MESSAGE(events, result, name, parameters, arguments, modelled) \
  MAZURKA_EXPORT result name parameters {                                               \
    if (attached()) {                                                                   \
      const Call call = MAZURKA_HERE;                                                   \
      if (description_of(fd) != kNoObject) return modelled;                             \
      await_message(fd, events, flags, call);                                           \
    }                                                                                   \
    return REAL(name) arguments;                                                        \
  }
// NOLINTEND(bugprone-macro-parentheses)

// With _FORTIFY_SOURCE programs call these; no header declares them for us.
// NOLINTBEGIN(*-naming,*-reserved-identifier)
extern "C" {
ssize_t __read_chk(int fd, void* bytes, size_t count, size_t size);
ssize_t __recv_chk(int fd, void* bytes, size_t count, size_t size, int flags);
ssize_t __recvfrom_chk(int fd, void* bytes, size_t count, size_t size, int flags, sockaddr* from,
                       socklen_t* length);
}
// NOLINTEND(*-naming,*-reserved-identifier)

MAZURKA_READING(read, (int fd, void* bytes, size_t count), (fd, bytes, count),
                channel_read(fd, bytes, count, call), read_timer(fd, bytes, count, call))
MAZURKA_READING(__read_chk, (int fd, void* bytes, size_t count, size_t size),
                (fd, bytes, count, size), channel_read(fd, bytes, count, call),
                read_timer(fd, bytes, count, call))
MAZURKA_READING(readv, (int fd, const iovec* parts, int count), (fd, parts, count),
                channel_readv(fd, parts, count, call),
                read_timer(fd, parts[0].iov_base, parts[0].iov_len, call))
MAZURKA_AWAITING(POLLOUT, ssize_t, writev, (int fd, const iovec* parts, int count),
                 (fd, parts, count), channel_writev(fd, parts, count, call))
MAZURKA_AWAITING(POLLIN, int, eventfd_read, (int fd, eventfd_t* value), (fd, value),
                 channel_read(fd, value, sizeof *value, call) == sizeof *value ? 0 : -1)
MAZURKA_AWAITING(POLLOUT, int, eventfd_write, (int fd, eventfd_t value), (fd, value),
                 channel_write(fd, &value, sizeof value, call) == sizeof value ? 0 : -1)
MAZURKA_AWAITING_MESSAGE(POLLIN, ssize_t, recv, (int fd, void* bytes, size_t count, int flags),
                         (fd, bytes, count, flags),
                         channel_receive(fd, bytes, count, flags, nullptr, nullptr, call))
MAZURKA_AWAITING_MESSAGE(POLLIN, ssize_t, __recv_chk,
                         (int fd, void* bytes, size_t count, size_t size, int flags),
                         (fd, bytes, count, size, flags),
                         channel_receive(fd, bytes, count, flags, nullptr, nullptr, call))
MAZURKA_AWAITING_MESSAGE(POLLIN, ssize_t, recvfrom,
                         (int fd, void* __restrict bytes, size_t count, int flags,
                          sockaddr* __restrict from, socklen_t* __restrict length),
                         (fd, bytes, count, flags, from, length),
                         channel_receive(fd, bytes, count, flags, from, length, call))
MAZURKA_AWAITING_MESSAGE(POLLIN, ssize_t, __recvfrom_chk,
                         (int fd, void* bytes, size_t count, size_t size, int flags, sockaddr* from,
                          socklen_t* length),
                         (fd, bytes, count, size, flags, from, length),
                         channel_receive(fd, bytes, count, flags, from, length, call))
MAZURKA_AWAITING_MESSAGE(POLLIN, ssize_t, recvmsg, (int fd, msghdr* message, int flags),
                         (fd, message, flags), channel_receive_message(fd, message, flags, call))
MAZURKA_AWAITING_MESSAGE(POLLIN, int, recvmmsg,
                         (int fd, mmsghdr* messages, unsigned count, int flags, timespec* timeout),
                         (fd, messages, count, flags, timeout),
                         channel_receive_messages(fd, messages, count, flags, timeout, call))
MAZURKA_AWAITING_MESSAGE(POLLOUT, ssize_t, sendmsg, (int fd, const msghdr* message, int flags),
                         (fd, message, flags), channel_send_message(fd, message, flags, call))
MAZURKA_AWAITING_MESSAGE(POLLOUT, int, sendmmsg,
                         (int fd, mmsghdr* messages, unsigned count, int flags),
                         (fd, messages, count, flags),
                         channel_send_messages(fd, messages, count, flags, call))
MAZURKA_AWAITING_MESSAGE(POLLOUT, ssize_t, sendto,
                         (int fd, const void* bytes, size_t count, int flags, const sockaddr* to,
                          socklen_t length),
                         (fd, bytes, count, flags, to, length),
                         channel_send(fd, bytes, count, flags, to, length, call))

MAZURKA_EXPORT ssize_t write(int fd, const void* bytes, size_t count) {
  if (!attached()) return REAL(write)(fd, bytes, count);
  const Call call = MAZURKA_HERE;
  if (description_of(fd) != kNoObject) return channel_write(fd, bytes, count, call);
  note_change_of_file(fd, call);
  return write_in_pieces(fd, bytes, count, call,
                         [fd](const void* next, size_t n) { return REAL(write)(fd, next, n); });
}

MAZURKA_EXPORT ssize_t send(int fd, const void* bytes, size_t count, int flags) {
  if (!attached()) return REAL(send)(fd, bytes, count, flags);
  const Call call = MAZURKA_HERE;
  if (description_of(fd) != kNoObject)
    return channel_send(fd, bytes, count, flags, nullptr, 0, call);
  if (flags & MSG_DONTWAIT) return REAL(send)(fd, bytes, count, flags);
  return write_in_pieces(fd, bytes, count, call, [fd, flags](const void* next, size_t n) {
    return REAL(send)(fd, next, n, flags);
  });
}
