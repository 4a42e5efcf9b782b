// Locks on files: real ones, without a model. A lock that is taken is tried again each time another
// thread has moved.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>

#include "runtime/blocking.h"
#include "runtime/descriptors.h"
#include "runtime/kernel_effects.h"
#include "runtime/raw.h"

namespace mazurka {
namespace {

// `attempt()` is the lock as the kernel answers it, without waiting.
template <typename Attempt>
int take_lock(Call call, Attempt&& attempt) {
  long result = 0;
  try_until_done(OtherSide::Program, kForever, call, [&] {
    result = attempt();
    return result != -EAGAIN && result != -EACCES;
  });
  if (!raw_failed(result)) return static_cast<int>(result);
  errno = static_cast<int>(-result);
  return -1;
}

bool is_lock_command(int command) {
  return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK ||
         command == F_OFD_SETLKW;
}

int control_file(int fd, int command, long argument, Call call) {
  if (is_lock_command(command)) name_unmodelled("fcntl (file lock)", call);
  if (command == F_SETLKW || command == F_OFD_SETLKW) {
    const long without_waiting = command == F_SETLKW ? F_SETLK : F_OFD_SETLK;
    return take_lock(call, [&] { return program_syscall(SYS_fcntl, fd, without_waiting, argument); });
  }
  if (any_description_of(fd) != kNoObject) return control_descriptor(fd, command, argument, call);
  return REAL(fcntl)(fd, command, argument);
}

int lock_rest_of_file(int fd, int command, off_t length, Call call) {
  name_unmodelled("lockf", call);
  if (command != F_LOCK) return REAL(lockf)(fd, command, length);
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_CUR;
  lock.l_len = length;
  return take_lock(call, [&] { return program_syscall(SYS_fcntl, fd, F_SETLK, address_of(&lock)); });
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int flock(int fd, int operation) {
  if (!attached()) return REAL(flock)(fd, operation);
  const Call call = MAZURKA_HERE;
  name_unmodelled("flock", call);
  if (operation & (LOCK_NB | LOCK_UN)) return REAL(flock)(fd, operation);
  return take_lock(call, [&] { return program_syscall(SYS_flock, fd, operation | LOCK_NB); });
}

MAZURKA_EXPORT int lockf(int fd, int command, off_t length) {
  if (!attached()) return REAL(lockf)(fd, command, length);
  return lock_rest_of_file(fd, command, length, MAZURKA_HERE);
}

MAZURKA_EXPORT int lockf64(int fd, int command, off64_t length) {
  if (!attached()) return REAL(lockf64)(fd, command, length);
  return lock_rest_of_file(fd, command, length, MAZURKA_HERE);
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
