// FIFOs. Those that the program makes are names in the model (kinds/sockets/socket.h), not files:
// executions do not see each other's. Behind an open one is a pipe of the kernel's, which later
// openers open again through /proc.
#include "runtime/channels/fifo_calls.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "runtime/channels/descriptors.h"
#include "runtime/core/failure.h"
#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/files/private_files.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/sockets/address_files.h"
#include "runtime/sockets/sockets.h"
#include "runtime/syscalls/watched_calls.h"

namespace mazurka {
namespace {

constexpr int kRoomOfPipe = 2 * kPipePages * static_cast<int>(kPageBytes);

const Description& at(ObjectId id) { return world().object(id).description; }

int make_fifo(int directory, const char* path, mode_t mode, Call call) {
  if (path == nullptr) return fail(EFAULT);
  if (directory != AT_FDCWD && path[0] != '/') {
    name_unmodelled("mkfifoat in a directory", call);
    return fail(EOPNOTSUPP);
  }
  need_private_addresses();
  note_made_address(call);
  if (is_real_file(path)) return fail(EEXIST);
  need_fork("mkfifo");
  const ObjectId channel = make_channel("FIFO", next_number(), "", {});
  const Effect effect = reach({.kind = OpKind::FifoMake,
                               .object = address_of_path(path),
                               .second = channel,
                               .value = S_IFIFO | umasked(mode)},
                              call);
  return effect.error == 0 ? 0 : fail(effect.error);
}

// --- the kernel's pipe

long open_again(int pid, int fd, int flags) {
  char path[48];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, fd);
  return program_syscall(SYS_openat, AT_FDCWD, address_of(path),
                         flags & (O_ACCMODE | O_NONBLOCK | O_CLOEXEC));
}

long open_new_pipe(int flags) {
  int ends[2];
  const long made = program_syscall(SYS_pipe2, address_of(ends), O_CLOEXEC);
  if (raw_failed(made)) return made;
  program_syscall(SYS_fcntl, ends[0], F_SETPIPE_SZ, kRoomOfPipe);
  const long fd = open_again(static_cast<int>(program_syscall(SYS_getpid)), ends[0], flags);
  program_syscall(SYS_close, ends[0]);
  program_syscall(SYS_close, ends[1]);
  if (raw_failed(fd)) return fd;
  // The lowest number, as open would have it.
  const long lowest =
      program_syscall(SYS_fcntl, fd, (flags & O_CLOEXEC) ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
  program_syscall(SYS_close, raw_failed(lowest) || lowest > fd ? lowest : fd);
  return raw_failed(lowest) || lowest > fd ? fd : lowest;
}

// Through whoever has it open.
long open_pipe_of(ObjectId channel, int flags) {
  const Segment& s = segment();
  for (uint32_t i = 0; i < s.descriptor_count; ++i) {
    const DescriptorRecord& known = s.descriptors[i];
    const Description& description = at(known.description);
    if (description.reads != channel && description.writes != channel) continue;
    const long fd = open_again(s.processes[index(known.process)].real_pid, known.fd, flags);
    if (!raw_failed(fd)) return fd;
  }
  return open_new_pipe(flags);
}

// --- opening

int64_t mode_of(int flags) {
  const int access = flags & O_ACCMODE;
  return (access != O_WRONLY ? kOpensToRead : 0) | (access != O_RDONLY ? kOpensToWrite : 0) |
         ((flags & O_NONBLOCK) ? kOpensAtOnce : 0);
}

bool is_real_fifo(int directory, const char* path) {
  struct stat status {};
  const long result =
      program_syscall(SYS_newfstatat, directory, address_of(path), address_of(&status), 0);
  return !raw_failed(result) && S_ISFIFO(status.st_mode);
}

ObjectId channel_of_real(const char* path) {
  char text[64];
  snprintf(text, sizeof text, "FIFO %u", index(address_of_path(path)));
  return object_by_name(text, 0, ObjectKind::Channel, Storage::Name);
}

// How often the side that this one waits for has been opened.
int64_t opens_of_other(ObjectId channel, int flags) {
  const Channel& fifo = world().object(channel).channel;
  return (flags & O_ACCMODE) == O_RDONLY ? fifo.writer_opens : fifo.reader_opens;
}

long open_known(const char* path, int flags, bool is_real, Call call) {
  const uint32_t number = world().thread(current_thread()).made + 1;
  const ObjectId made = make_description("FIFO", number, " (descriptor)", kNoObject, kNoObject);
  world().object(made).description.is_nonblocking = (flags & O_NONBLOCK) != 0;
  Operation op{.kind = OpKind::FifoOpen,
               .object = address_of_path(path),
               .second = made,
               .value = mode_of(flags)};
  if (is_real) op.desired = static_cast<int64_t>(index(channel_of_real(path))) << 8 | kIsReal;
  const Effect effect = reach(op, call);
  if (effect.error != 0) return -effect.error;
  if (next_number() != number)
    runtime_error("a signal handler has made descriptors while its thread opened a FIFO");
  const ObjectId channel = at(made).reads != kNoObject ? at(made).reads : at(made).writes;
  const long fd = open_pipe_of(channel, flags);
  if (raw_failed(fd)) runtime_error("the pipe of a FIFO cannot be opened");
  add_descriptor(static_cast<int>(fd), made, (flags & O_CLOEXEC) != 0);
  const int64_t before = opens_of_other(channel, flags);
  if (effect.value == 1)
    reach({.kind = OpKind::FifoWait, .object = channel, .second = made, .value = before}, call);
  return fd;
}

}  // namespace

bool open_fifo(int directory, const char* path, int flags, long& result, Call call) {
  if ((flags & O_PATH) != 0 || (flags & O_TMPFILE) == O_TMPFILE) return false;
  const bool is_real = is_real_fifo(directory, path);
  if (!is_real && (!has_private_addresses() || is_real_file(path) ||
                   (directory != AT_FDCWD && path[0] != '/') || !may_have_name(path)))
    return false;
  constexpr int kMustBeNew = O_CREAT | O_EXCL;
  if (!is_real && (flags & kMustBeNew) == kMustBeNew) {
    result = -EEXIST;
    return reach({.kind = OpKind::AddressLook, .object = address_of_path(path)}, call).error == 0;
  }
  if (is_real) need_fork("open of a FIFO");
  result = open_known(path, flags, is_real, call);
  return result != -ENOENT;
}

}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int mkfifo(const char* path, mode_t mode) noexcept {
  return attached() ? make_fifo(AT_FDCWD, path, mode, MAZURKA_HERE) : REAL(mkfifo)(path, mode);
}

MAZURKA_EXPORT int mkfifoat(int directory, const char* path, mode_t mode) noexcept {
  return attached() ? make_fifo(directory, path, mode, MAZURKA_HERE)
                    : REAL(mkfifoat)(directory, path, mode);
}

MAZURKA_EXPORT int mknod(const char* path, mode_t mode, dev_t device) noexcept {
  if (attached() && S_ISFIFO(mode)) return make_fifo(AT_FDCWD, path, mode, MAZURKA_HERE);
  if (attached()) need_private_files(MAZURKA_LASTING("mknod"), MAZURKA_HERE);
  return REAL(mknod)(path, mode, device);
}

MAZURKA_EXPORT int mknodat(int directory, const char* path, mode_t mode, dev_t device) noexcept {
  if (attached() && S_ISFIFO(mode)) return make_fifo(directory, path, mode, MAZURKA_HERE);
  if (attached()) need_private_files(MAZURKA_LASTING("mknodat"), MAZURKA_HERE);
  return REAL(mknodat)(directory, path, mode, device);
}
