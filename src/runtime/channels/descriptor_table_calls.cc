// What changes which descriptors lead where: close, dup, fcntl and their like; and what changes the
// descriptions themselves: O_NONBLOCK, shutdown, the room of a pipe. Descriptors without a model
// pass through.
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <initializer_list>

#include "runtime/channels/descriptors.h"
#include "runtime/core/failure.h"
#include "runtime/core/raw.h"
#include "runtime/files/files.h"
#include "runtime/reset/kernel_effects.h"

namespace mazurka {
namespace {

Description& at(ObjectId id) { return world().object(id).description; }

int duplicate(int fd, long result, bool closes_on_exec) {
  const ObjectId description = any_description_of(fd);
  if (!raw_failed(result) && description != kNoObject) {
    add_descriptor(static_cast<int>(result), description, closes_on_exec);
  }
  forget_opened(fd);
  if (!raw_failed(result)) forget_opened(static_cast<int>(result));
  return number_with_errno(result);
}

bool is_open(int fd) { return !raw_failed(program_syscall(SYS_fcntl, fd, F_GETFD)); }

// Replaces what `to` leads to.
int duplicate_to(int fd, int to, int flags, Call call) {
  if (fd == to || !is_open(fd)) return number_with_errno(program_syscall(SYS_dup3, fd, to, flags));
  close_descriptor(to, call);
  return duplicate(fd, program_syscall(SYS_dup3, fd, to, flags), (flags & O_CLOEXEC) != 0);
}

// Others that hold the description see it. Invisible while there are none.
Effect change(ObjectId description, DescriptionChange wanted, Call call) {
  const Operation op{
      .kind = OpKind::DescriptionSet, .object = description, .value = static_cast<int64_t>(wanted)};
  const ObjectId reads = at(description).reads;
  const ObjectId writes = at(description).writes;
  const Effect effect = destroy(op, call);
  if (world().alone(current_thread())) {
    if (reads != kNoObject) world().touch(reads);
    if (writes != kNoObject) world().touch(writes);
  }
  return effect;
}

Channel* pipe_behind(int fd) {
  const ObjectId description = description_of(fd);
  if (description == kNoObject) return nullptr;
  const ObjectId id =
      at(description).reads != kNoObject ? at(description).reads : at(description).writes;
  Channel& channel = world().object(id).channel;
  return channel.form == Channel::Form::Pipe ? &channel : nullptr;
}

// A system that allows no more than what a pipe has at first.
int set_pipe_size(int fd, Channel& pipe, long bytes, Call call) {
  constexpr long kMostBytes = long{kPipePages} * kPageBytes;
  if (bytes > kMostBytes) return fail(EPERM);
  if (bytes <= 0) return fail(EINVAL);
  uint8_t pages = 1;
  while (pages * long{kPageBytes} < bytes) pages = static_cast<uint8_t>(pages * 2);
  if (pages < pipe.used) return fail(EBUSY);
  if (!world().alone(current_thread()))
    name_unmodelled("F_SETPIPE_SZ while others may use the pipe", call);
  pipe.slots = pages;
  const Description& description = at(description_of(fd));
  world().touch(description.reads != kNoObject ? description.reads : description.writes);
  return pages * static_cast<int>(kPageBytes);
}

int shut(int fd, int how, Call call) {
  const ObjectId description = description_of(fd);
  if (description != kNoObject && how >= SHUT_RD && how <= SHUT_RDWR) {
    constexpr DescriptionChange kChanges[] = {
        DescriptionChange::ShutRead, DescriptionChange::ShutWrite, DescriptionChange::ShutBoth};
    const ObjectId in = at(description).reads;
    const Channel* const channel = in == kNoObject ? nullptr : &world().object(in).channel;
    if (channel != nullptr && channel->never_ends && channel->form == Channel::Form::Messages) {
      give_up_model(description, "shutdown of a datagram socket", call);
    } else if (channel != nullptr && channel->is_socket) {
      const Effect effect = change(description, kChanges[how], call);
      if (effect.error != 0) return fail(effect.error);
      // Whoever writes does not notice, which it would from the kernel's socket.
      if (channel->is_internet && how == SHUT_RD) return 0;
    }
  }
  return REAL(shutdown)(fd, how);
}

void close_range_of_model(unsigned first, unsigned last, bool at_exec, Call call) {
  if (!at_exec) close_other_files(first, last, false, call);
  auto from = static_cast<int>(std::min<unsigned>(first, INT_MAX));
  while (const DescriptorRecord* const record = next_descriptor(from)) {
    if (static_cast<unsigned>(record->fd) > last) return;
    from = record->fd + 1;
    if (at_exec) {
      set_closes_on_exec(record->fd, true);
    } else {
      close_descriptor(record->fd, call);
    }
  }
}

// Bytes that are moved past the model.
void moves_past_model(const char* name, Call call, int from, int to) {
  for (const int fd : {from, to}) {
    const ObjectId description = description_of(fd);
    if (description != kNoObject) give_up_model(description, name, call);
  }
}

}  // namespace

void set_nonblocking(int fd, bool wanted, Call call) {
  const ObjectId description = pollable_description_of(fd);
  if (description == kNoObject || at(description).is_nonblocking == wanted) return;
  change(description, wanted ? DescriptionChange::NonBlocking : DescriptionChange::Blocking, call);
}

int control_descriptor(int fd, int command, long argument, Call call) {
  Channel* const pipe = pipe_behind(fd);
  switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
      return duplicate(fd, program_syscall(SYS_fcntl, fd, command, argument),
                       command == F_DUPFD_CLOEXEC);
    case F_SETFD:
      set_closes_on_exec(fd, (argument & FD_CLOEXEC) != 0);
      break;
    case F_SETFL:
      set_nonblocking(fd, (argument & O_NONBLOCK) != 0, call);
      break;
    case F_SETPIPE_SZ:
      if (pipe != nullptr) return set_pipe_size(fd, *pipe, argument, call);
      break;
    case F_GETPIPE_SZ:
      if (pipe != nullptr) return pipe->slots * static_cast<int>(kPageBytes);
      break;
    default:
      break;
  }
  return number_with_errno(program_syscall(SYS_fcntl, fd, command, argument));
}

}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int close(int fd) {
  if (attached()) close_descriptor(fd, MAZURKA_HERE);
  return REAL(close)(fd);
}

MAZURKA_EXPORT int dup(int fd) {
  if (!attached()) return REAL(dup)(fd);
  return duplicate(fd, program_syscall(SYS_dup, fd), false);
}

MAZURKA_EXPORT int dup2(int fd, int to) {
  if (!attached()) return REAL(dup2)(fd, to);
  if (fd == to) return is_open(fd) ? to : fail(EBADF);
  return duplicate_to(fd, to, 0, MAZURKA_HERE);
}

MAZURKA_EXPORT int dup3(int fd, int to, int flags) {
  if (!attached()) return REAL(dup3)(fd, to, flags);
  return duplicate_to(fd, to, flags, MAZURKA_HERE);
}

MAZURKA_EXPORT int close_range(unsigned first, unsigned last, int flags) noexcept {
  constexpr int kAtExec = 4;  // CLOSE_RANGE_CLOEXEC
  if (attached() && first <= last)
    close_range_of_model(first, last, (flags & kAtExec) != 0, MAZURKA_HERE);
  return REAL(close_range)(first, last, flags);
}

MAZURKA_EXPORT void closefrom(int first) noexcept {
  if (attached())
    close_range_of_model(first < 0 ? 0 : static_cast<unsigned>(first), ~0u, false, MAZURKA_HERE);
  REAL(closefrom)(first);
}

MAZURKA_EXPORT int shutdown(int fd, int how) noexcept {
  return attached() ? shut(fd, how, MAZURKA_HERE) : REAL(shutdown)(fd, how);
}

MAZURKA_EXPORT ssize_t splice(int in, off64_t* in_offset, int out, off64_t* out_offset,
                              size_t length, unsigned flags) {
  if (attached()) moves_past_model("splice", MAZURKA_HERE, in, out);
  return REAL(splice)(in, in_offset, out, out_offset, length, flags);
}

MAZURKA_EXPORT ssize_t tee(int in, int out, size_t length, unsigned flags) {
  if (attached()) moves_past_model("tee", MAZURKA_HERE, in, out);
  return REAL(tee)(in, out, length, flags);
}

MAZURKA_EXPORT ssize_t vmsplice(int fd, const iovec* parts, size_t count, unsigned flags) {
  if (attached()) moves_past_model("vmsplice", MAZURKA_HERE, fd, fd);
  return REAL(vmsplice)(fd, parts, count, flags);
}

MAZURKA_EXPORT ssize_t sendfile(int out, int in, off_t* offset, size_t count) noexcept {
  if (attached()) moves_past_model("sendfile", MAZURKA_HERE, in, out);
  return REAL(sendfile)(out, in, offset, count);
}
