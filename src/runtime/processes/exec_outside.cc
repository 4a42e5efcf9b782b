#include "runtime/processes/exec_outside.h"

#include <linux/prctl.h>
#include <signal.h>

#include <cerrno>

#include "runtime/core/raw.h"
#include "runtime/processes/shared_error.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/time/time_stamps.h"

namespace mazurka {

int exec_outside(int fd, const char* path, char* const* arguments, char* const* environment,
                 int flags, Call call) {
  SharedError error;
  if (!error.exists()) return ENOMEM;
  const long self = program_syscall(SYS_getpid);
  const long pid = program_syscall(SYS_clone, SIGCHLD);
  if (pid == 0) {
    program_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    if (program_syscall(SYS_getppid) != self) raw_exit_group(1);  // killed before that call
    release_time_stamps();
    const long failed = program_syscall(SYS_execveat, fd, address_of(path), address_of(arguments),
                                        address_of(environment), flags);
    error.value() = static_cast<int>(-failed);
    raw_exit_group(127);
  }
  if (raw_failed(pid)) return static_cast<int>(-pid);
  int status = 0;
  while (program_syscall(SYS_wait4, pid, address_of(&status), 0) == -EINTR) {
  }
  if (error.value() != 0) return error.value();
  name_unmodelled("exec of a program that our runtime cannot be in (static or setuid)", call);
  end_process(status, call);
}

}  // namespace mazurka
