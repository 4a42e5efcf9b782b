// pipe, socketpair, eventfd: what they make has a model (kinds/channels/channel.h,
// kinds/channels/description.h). The kernel's own object carries the bytes; it gets more room than
// the model says it has, so that a call that the model lets through never waits.
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

#include "runtime/channels/descriptors.h"
#include "runtime/core/failure.h"
#include "runtime/core/raw.h"
#include "runtime/reset/kernel_effects.h"

namespace mazurka {
namespace {

constexpr int kRoomOfPipe = 2 * kPipePages * static_cast<int>(kPageBytes);
constexpr int kRoomOfSocket = 212992;  // the kernel doubles it

int make_pipe(int* ends, int flags, Call call) {
  if (flags & ~(O_CLOEXEC | O_NONBLOCK)) {  // packets, notifications
    name_unmodelled("pipe2 with O_DIRECT or O_NOTIFICATION_PIPE", call);
    const long made = program_syscall(SYS_pipe2, address_of(ends), flags);
    return number_with_errno(made);
  }
  need_fork("pipe");
  const uint32_t number = next_number();
  const ObjectId channel = make_channel("pipe", number, "", {});
  const ObjectId reads = make_description("pipe", number, " (read end)", channel, kNoObject);
  const ObjectId writes = make_description("pipe", number, " (write end)", kNoObject, channel);
  world().object(reads).description.is_nonblocking = (flags & O_NONBLOCK) != 0;
  world().object(writes).description.is_nonblocking = (flags & O_NONBLOCK) != 0;
  open_descriptions(reads, writes, call);
  const long made = program_syscall(SYS_pipe2, address_of(ends), flags);
  if (raw_failed(made)) return number_with_errno(made);
  program_syscall(SYS_fcntl, ends[0], F_SETPIPE_SZ, kRoomOfPipe);
  add_descriptor(ends[0], reads, (flags & O_CLOEXEC) != 0);
  add_descriptor(ends[1], writes, (flags & O_CLOEXEC) != 0);
  return 0;
}

NewChannel channel_of(int type) {
  const bool is_stream = type == SOCK_STREAM;
  return {.form = is_stream ? Channel::Form::Stream : Channel::Form::Messages,
          .slots = is_stream ? kSocketPieces : kSocketMessages,
          .is_socket = true,
          .never_ends = type == SOCK_DGRAM};
}

int make_pair(int domain, int type, int protocol, int* ends, Call call) {
  constexpr int kFlags = SOCK_CLOEXEC | SOCK_NONBLOCK;
  const int kind = type & ~kFlags;
  const bool known = kind == SOCK_STREAM || kind == SOCK_DGRAM || kind == SOCK_SEQPACKET;
  if (domain != AF_UNIX || !known) {
    name_unmodelled("socketpair", call);
    return REAL(socketpair)(domain, type, protocol, ends);
  }
  need_fork("socketpair");
  const uint32_t number = next_number();
  const ObjectId there = make_channel("socket", number, "a->b", channel_of(kind));
  const ObjectId back = make_channel("socket", number, "b->a", channel_of(kind));
  const ObjectId first = make_description("socket", number, "a", back, there);
  const ObjectId second = make_description("socket", number, "b", there, back);
  for (const ObjectId id : {first, second}) {
    world().object(id).description.is_nonblocking = (type & SOCK_NONBLOCK) != 0;
  }
  open_descriptions(first, second, call);
  if (REAL(socketpair)(domain, type, protocol, ends) != 0) return -1;
  for (int i = 0; i < 2; ++i) {
    REAL(setsockopt)(ends[i], SOL_SOCKET, SO_SNDBUF, &kRoomOfSocket, sizeof kRoomOfSocket);
    add_descriptor(ends[i], i == 0 ? first : second, (type & SOCK_CLOEXEC) != 0);
  }
  return 0;
}

int make_counter(unsigned value, int flags, Call call) {
  need_fork("eventfd");
  const uint32_t number = next_number();
  const bool gives_one = (flags & EFD_SEMAPHORE) != 0;
  const ObjectId channel = make_channel(
      "eventfd", number, "",
      {.form = Channel::Form::Counter, .slots = gives_one, .count = static_cast<int64_t>(value)});
  const ObjectId description =
      make_description("eventfd", number, " (descriptor)", channel, channel);
  world().object(description).description.is_nonblocking = (flags & EFD_NONBLOCK) != 0;
  open_descriptions(description, kNoObject, call);
  const int fd = REAL(eventfd)(value, flags);
  if (fd >= 0) add_descriptor(fd, description, (flags & EFD_CLOEXEC) != 0);
  return fd;
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int pipe(int ends[2]) {
  return attached() ? make_pipe(ends, 0, MAZURKA_HERE) : REAL(pipe)(ends);
}

MAZURKA_EXPORT int pipe2(int ends[2], int flags) {
  return attached() ? make_pipe(ends, flags, MAZURKA_HERE) : REAL(pipe2)(ends, flags);
}

MAZURKA_EXPORT int socketpair(int domain, int type, int protocol, int ends[2]) {
  if (!attached()) return REAL(socketpair)(domain, type, protocol, ends);
  return make_pair(domain, type, protocol, ends, MAZURKA_HERE);
}

MAZURKA_EXPORT int eventfd(unsigned value, int flags) {
  return attached() ? make_counter(value, flags, MAZURKA_HERE) : REAL(eventfd)(value, flags);
}
