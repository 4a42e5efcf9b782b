// flock, fcntl with record locks, and lockf: operations on kinds/files/file_lock.h. No real lock is
// taken, so executions do not meet each other in one. What is no file, or a file of which it is not
// known who else has it open, is the kernel's, and named: a lock that is taken is tried again each
// time another thread has moved.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>

#include "runtime/channels/descriptors.h"
#include "runtime/core/blocking.h"
#include "runtime/core/failure.h"
#include "runtime/core/limits.h"
#include "runtime/core/raw.h"
#include "runtime/files/files.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/syscalls/commands_of_calls.h"

namespace mazurka {
namespace {

// --- the kernel's own

// `attempt()` is the lock as the kernel answers it, without waiting.
template <typename Attempt>
int take_lock(Call call, Attempt&& attempt) {
  long result = 0;
  try_until_done(OtherSide::Program, kForever, call, [&] {
    result = attempt();
    return result != -EAGAIN && result != -EACCES;
  });
  return raw_failed(result) ? fail(static_cast<int>(-result)) : static_cast<int>(result);
}

int lock_outside(int fd, int operation, Call call) {
  name_unmodelled("flock of what other threads or processes may have got before", call);
  if (operation & (LOCK_NB | LOCK_UN)) return REAL(flock)(fd, operation);
  return take_lock(call, [&] { return program_syscall(SYS_flock, fd, operation | LOCK_NB); });
}

int record_outside(int fd, int command, struct flock* lock, Call call) {
  name_unmodelled("record lock of what other threads or processes may have got before", call);
  if (command != F_SETLKW && command != F_OFD_SETLKW) return REAL(fcntl)(fd, command, lock);
  const long without_waiting = command == F_SETLKW ? F_SETLK : F_OFD_SETLK;
  return take_lock(
      call, [&] { return program_syscall(SYS_fcntl, fd, without_waiting, address_of(lock)); });
}

// --- with a model

// A lock that was changed into one of the other kind may have been given up first: then it comes
// again.
Effect reach_lock(const Operation& op, Call call) {
  Effect effect = reach(op, call);
  while (op.kind == OpKind::FileLock && effect.error == 0 && effect.value == 1)
    effect = reach(op, call);
  if (effect.error == ENOLCK)
    limit_reached("the program has more than 1024 locks of files at once");
  return effect;
}

bool can_be_locked(int fd) {
  const long flags = program_syscall(SYS_fcntl, fd, F_GETFL);
  return !raw_failed(flags) && (flags & O_PATH) == 0;
}

int lock_whole(int fd, int operation, Call call) {
  const int kind = operation & ~LOCK_NB;
  if (!can_be_locked(fd)) return fail(EBADF);
  if (kind != LOCK_SH && kind != LOCK_EX && kind != LOCK_UN) return fail(EINVAL);
  const ObjectId description = description_to_lock(fd);
  if (description == kNoObject) return lock_outside(fd, operation, call);
  Operation op{.kind = kind == LOCK_UN ? OpKind::FileUnlock : OpKind::FileLock,
               .object = file_of(fd),
               .second = description};
  if (kind == LOCK_SH) op.flags |= kShared;
  if (kind != LOCK_UN && (operation & LOCK_NB) != 0) op.flags |= kTry;
  const Effect effect = reach_lock(op, call);
  return effect.error == 0 ? 0 : fail(effect.error);
}

// Where the range of a record begins and ends. Returns an errno value.
int find_range(int fd, const struct flock& lock, Operation& op) {
  int64_t base = 0;
  if (lock.l_whence == SEEK_CUR) base = program_syscall(SYS_lseek, fd, 0, SEEK_CUR);
  struct stat status {};
  if (lock.l_whence == SEEK_END && !raw_failed(program_syscall(SYS_fstat, fd, address_of(&status))))
    base = status.st_size;
  if (lock.l_whence != SEEK_SET && lock.l_whence != SEEK_CUR && lock.l_whence != SEEK_END)
    return EINVAL;
  if (__builtin_add_overflow(base, lock.l_start, &op.value)) return EOVERFLOW;
  if (lock.l_len == 0) {
    op.desired = kEndOfFile;
  } else if (__builtin_add_overflow(op.value, lock.l_len, &op.desired)) {
    return EOVERFLOW;
  }
  if (op.desired < op.value) {
    const int64_t end = op.value;
    op.value = op.desired;
    op.desired = end;
  }
  return op.value < 0 ? EINVAL : 0;
}

// A lock to read needs a descriptor that can read, one to write needs one that can write.
bool is_allowed(int fd, short type) {
  const long access = program_syscall(SYS_fcntl, fd, F_GETFL) & O_ACCMODE;
  if (type == F_RDLCK) return access != O_WRONLY;
  return type != F_WRLCK || access != O_RDONLY;
}

void give_found(const Operation& op, struct flock& lock) {
  const FileLock* const found = lock_in_the_way(world(), current_thread(), op);
  if (found == nullptr) {
    lock.l_type = F_UNLCK;
    return;
  }
  lock.l_type = found->is_shared ? F_RDLCK : F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = found->begin;
  lock.l_len = found->end == kEndOfFile ? 0 : found->end - found->begin;
  lock.l_pid = found->owner.process == kNoProcess ? -1 : virtual_pid(found->owner.process);
}

struct RecordCommand {
  bool looks = false;
  bool waits = false;
  bool of_description = false;
};

bool read_command(int command, RecordCommand& out) {
  out.of_description = command == F_OFD_GETLK || command == F_OFD_SETLK || command == F_OFD_SETLKW;
  out.looks = command == F_GETLK || command == F_OFD_GETLK;
  out.waits = command == F_SETLKW || command == F_OFD_SETLKW;
  return out.of_description || out.looks || out.waits || command == F_SETLK;
}

int lock_record(int fd, int command, struct flock* lock, Call call) {
  RecordCommand wanted;
  read_command(command, wanted);
  if (!can_be_locked(fd)) return fail(EBADF);
  if (lock == nullptr) return fail(EFAULT);
  if (wanted.of_description && lock->l_pid != 0) return fail(EINVAL);
  const bool unlocks = lock->l_type == F_UNLCK;
  if ((lock->l_type != F_RDLCK && lock->l_type != F_WRLCK && !unlocks) || (unlocks && wanted.looks))
    return fail(EINVAL);
  const ObjectId description = description_to_lock(fd);
  if (description == kNoObject || closes_are_unknown(fd))
    return record_outside(fd, command, lock, call);
  if (!wanted.looks && !is_allowed(fd, lock->l_type)) return fail(EBADF);
  Operation op{.kind = wanted.looks ? OpKind::FileLook
                       : unlocks    ? OpKind::FileUnlock
                                    : OpKind::FileLock,
               .flags = kRecord,
               .object = file_of(fd),
               .second = description};
  if (const int error = find_range(fd, *lock, op); error != 0) return fail(error);
  if (lock->l_type == F_RDLCK) op.flags |= kShared;
  if (wanted.of_description) op.flags |= kOfDescription;
  if (!wanted.waits && op.kind == OpKind::FileLock) op.flags |= kTry;
  const Effect effect = reach_lock(op, call);
  if (effect.error == 0 && wanted.looks) give_found(op, *lock);
  return effect.error == 0 ? 0 : fail(effect.error);
}

// Signals that no model sends, packets in a pipe, and seals that others run into.
bool has_model(int command, long argument) {
  if (command == F_SETFL) return (argument & (O_ASYNC | O_DIRECT)) == 0;
  if (command == F_ADD_SEALS) return world().alone(current_thread());
  return is_known_fcntl(command);
}

void name_command(int command, long argument, Call call) {
  if (has_model(command, argument)) return;
  const int kept_errno = errno;
  char text[64];
  snprintf(text, sizeof text,
           command == F_SETFL       ? "fcntl F_SETFL with O_ASYNC or O_DIRECT"
           : command == F_ADD_SEALS ? "fcntl F_ADD_SEALS while others may use the file"
                                    : "fcntl with the command %d",
           command);
  name_unmodelled(text, call);
  errno = kept_errno;
}

int control_file(int fd, int command, long argument, Call call) {
  RecordCommand unused;
  if (read_command(command, unused))
    return lock_record(fd, command, reinterpret_cast<struct flock*>(argument), call);
  const bool duplicates = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
  const int result = duplicates || any_description_of(fd) != kNoObject
                         ? control_descriptor(fd, command, argument, call)
                         : REAL(fcntl)(fd, command, argument);
  const bool is_refused = result == -1 && (errno == EBADF || errno == EINVAL);
  if (!is_refused) name_command(command, argument, call);
  return result;
}

// As libc has it.
int lock_rest_of_file(int fd, int command, off_t length, Call call) {
  struct flock lock {};
  lock.l_type = command == F_ULOCK ? F_UNLCK : F_WRLCK;
  lock.l_whence = SEEK_CUR;
  lock.l_len = length;
  switch (command) {
    case F_TEST:
      lock.l_type = F_RDLCK;
      if (lock_record(fd, F_GETLK, &lock, call) < 0) return -1;
      return lock.l_type == F_UNLCK ? 0 : fail(EACCES);
    case F_LOCK:
      return lock_record(fd, F_SETLKW, &lock, call);
    case F_TLOCK:
    case F_ULOCK:
      return lock_record(fd, F_SETLK, &lock, call);
    default:
      return fail(EINVAL);
  }
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int flock(int fd, int operation) {
  return attached() ? lock_whole(fd, operation, MAZURKA_HERE) : REAL(flock)(fd, operation);
}

MAZURKA_EXPORT int lockf(int fd, int command, off_t length) {
  return attached() ? lock_rest_of_file(fd, command, length, MAZURKA_HERE)
                    : REAL(lockf)(fd, command, length);
}

MAZURKA_EXPORT int lockf64(int fd, int command, off64_t length) {
  return attached() ? lock_rest_of_file(fd, command, length, MAZURKA_HERE)
                    : REAL(lockf64)(fd, command, length);
}

MAZURKA_EXPORT int fcntl(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  const long argument = va_arg(arguments, long);
  va_end(arguments);
  return attached() ? control_file(fd, command, argument, MAZURKA_HERE)
                    : REAL(fcntl)(fd, command, argument);
}

MAZURKA_EXPORT int fcntl64(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  const long argument = va_arg(arguments, long);
  va_end(arguments);
  return attached() ? control_file(fd, command, argument, MAZURKA_HERE)
                    : REAL(fcntl)(fd, command, argument);
}
