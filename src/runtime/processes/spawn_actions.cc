#include "runtime/processes/spawn_actions.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/core/failure.h"
#include "runtime/core/raw.h"
#include "runtime/files/private_files.h"
#include "runtime/reset/kernel_effects.h"

// glibc's own, which <spawn.h> only names (posix/spawn_int.h; the same since 2.35).
struct __spawn_action {
  enum Tag : int { Close, Dup2, Open, Chdir, Fchdir, Closefrom, Tcsetpgrp } tag;
  union {
    int fd;  // Close, Fchdir, Closefrom, Tcsetpgrp
    struct {
      int fd;
      int new_fd;
    } dup2;
    struct {
      int fd;
      char* path;
      int flags;
      mode_t mode;
    } open;
    char* directory;
  };
};
static_assert(sizeof(__spawn_action) == 32);

namespace mazurka {
namespace {

int error_of(long result) { return raw_failed(result) ? static_cast<int>(-result) : 0; }
int errno_of(int result) { return result == 0 ? 0 : errno; }

// Opens at the number that the action wants, not at the lowest free one.
int open_as(const __spawn_action& action) {
  close(action.open.fd);
  // One that changes nothing is no operation: so the one who spawns learns that it fails.
  const bool may_change = (action.open.flags & (O_ACCMODE | O_CREAT | O_TRUNC)) != O_RDONLY;
  const int fd = may_change || uses_private_files()
                     ? open(action.open.path, action.open.flags, action.open.mode)
                     : number_with_errno(program_syscall(
                           SYS_openat, AT_FDCWD, address_of(action.open.path), action.open.flags));
  if (fd < 0) return errno;
  if (fd == action.open.fd) return 0;
  const int error = errno_of(dup2(fd, action.open.fd) < 0 ? -1 : 0);
  close(fd);
  return error;
}

// dup2 of a descriptor to itself does nothing, but POSIX wants it to survive the exec.
int duplicate(int fd, int new_fd) {
  if (fd != new_fd) return errno_of(dup2(fd, new_fd) < 0 ? -1 : 0);
  const long flags = program_syscall(SYS_fcntl, fd, F_GETFD);
  if (raw_failed(flags)) return error_of(flags);
  return errno_of(fcntl(fd, F_SETFD, flags & ~long{FD_CLOEXEC}));
}

// Closing what is not open is no error, unless it could never be open.
int close_action(int fd) {
  struct rlimit limit;
  if (close(fd) == 0) return 0;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  return fd < 0 || static_cast<rlim_t>(fd) >= limit.rlim_cur ? EBADF : 0;
}

int apply(const __spawn_action& action) {
  switch (action.tag) {
    case __spawn_action::Close:
      return close_action(action.fd);
    case __spawn_action::Dup2:
      return duplicate(action.dup2.fd, action.dup2.new_fd);
    case __spawn_action::Open:
      return open_as(action);
    case __spawn_action::Chdir:
      return errno_of(chdir(action.directory));
    case __spawn_action::Fchdir:
      return errno_of(fchdir(action.fd));
    case __spawn_action::Closefrom:
      return errno_of(close_range(static_cast<unsigned>(action.fd), ~0u, 0));
    case __spawn_action::Tcsetpgrp:
      return 0;  // groups are numbers only here, and the terminal is not the program's
    default:
      return ENOSYS;  // a glibc that we do not know
  }
}

void reset_signals(const sigset_t& signals) {
  for (int signal = 1; signal < NSIG; ++signal) {
    if (sigismember(&signals, signal) == 1) ::signal(signal, SIG_DFL);
  }
}

int apply_scheduling(const posix_spawnattr_t* attributes, short flags) {
  struct sched_param parameters;
  int policy = 0;
  posix_spawnattr_getschedparam(attributes, &parameters);
  posix_spawnattr_getschedpolicy(attributes, &policy);
  if ((flags & POSIX_SPAWN_SETSCHEDULER) != 0)
    return errno_of(sched_setscheduler(0, policy, &parameters) < 0 ? -1 : 0);
  if ((flags & POSIX_SPAWN_SETSCHEDPARAM) != 0) return errno_of(sched_setparam(0, &parameters));
  return 0;
}

}  // namespace

int apply_attributes(const posix_spawnattr_t* attributes) {
  if (attributes == nullptr) return 0;
  short flags = 0;
  posix_spawnattr_getflags(attributes, &flags);
  sigset_t signals;
  if ((flags & POSIX_SPAWN_SETSIGDEF) != 0) {
    posix_spawnattr_getsigdefault(attributes, &signals);
    reset_signals(signals);
  }
  if (const int error = apply_scheduling(attributes, flags); error != 0) return error;
  if ((flags & POSIX_SPAWN_SETSID) != 0 && setsid() < 0) return errno;
  if ((flags & POSIX_SPAWN_SETPGROUP) != 0) {
    pid_t group = 0;
    posix_spawnattr_getpgroup(attributes, &group);
    if (setpgid(0, group) != 0) return errno;
  }
  if ((flags & POSIX_SPAWN_RESETIDS) != 0 && (seteuid(getuid()) != 0 || setegid(getgid()) != 0))
    return errno;
  if ((flags & POSIX_SPAWN_SETSIGMASK) != 0) {
    posix_spawnattr_getsigmask(attributes, &signals);
    sigprocmask(SIG_SETMASK, &signals, nullptr);
  }
  return 0;
}

int apply_file_actions(const posix_spawn_file_actions_t* actions) {
  if (actions == nullptr) return 0;
  for (int i = 0; i < actions->__used; ++i) {
    if (const int error = apply(actions->__actions[i]); error != 0) return error;
  }
  return 0;
}

bool may_change_directory(const posix_spawn_file_actions_t* actions) {
  if (actions == nullptr) return false;
  for (int i = 0; i < actions->__used; ++i) {
    const __spawn_action::Tag tag = actions->__actions[i].tag;
    if (tag == __spawn_action::Chdir || tag == __spawn_action::Fchdir) return true;
  }
  return false;
}

}  // namespace mazurka
