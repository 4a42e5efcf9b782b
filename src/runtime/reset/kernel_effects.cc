#include "runtime/reset/kernel_effects.h"

#include <cstdio>

#include "runtime/core/ends.h"
#include "runtime/core/state.h"
#include "runtime/reset/in_place.h"

namespace mazurka {

bool leaves_no_trace(long number, long first_argument) {
  switch (number) {
    case SYS_write:
    case SYS_writev:
      return first_argument == 1 || first_argument == 2;  // nobody listens while we explore
    case SYS_read:
    case SYS_readv:
    case SYS_lseek:
      return first_argument == 0;  // rewound for each execution
    case SYS_tgkill:
      return first_argument == segment().control.server_pid;  // abort, raise
    case SYS_rt_sigprocmask:
    case SYS_pread64:
    case SYS_fstat:
    case SYS_stat:
    case SYS_lstat:
    case SYS_newfstatat:
    case SYS_statx:
    case SYS_access:
    case SYS_faccessat:
    case SYS_readlink:
    case SYS_readlinkat:
    case SYS_getcwd:
    case SYS_uname:
    case SYS_sysinfo:
    case SYS_getpid:
    case SYS_gettid:
    case SYS_getppid:
    case SYS_getuid:
    case SYS_geteuid:
    case SYS_getgid:
    case SYS_getegid:
    case SYS_getrusage:
    case SYS_getrandom:
    case SYS_clock_gettime:
    case SYS_gettimeofday:
    case SYS_time:
    case SYS_sched_yield:
    case SYS_sched_getaffinity:
    case SYS_getrlimit:
    case SYS_poll:
      return true;
    default:
      return false;
  }
}

void need_fork(const char* what) {
  if (!runs_in_place()) return;
  segment().log.text = add_text(what);
  end_execution(Ending::NeedsFork);
}

namespace {

struct Name {
  long number;
  const char* name;
};
constexpr Name kNames[] = {
    {SYS_open, "open"},
    {SYS_openat, "open"},
    {SYS_close, "close"},
    {SYS_dup, "dup"},
    {SYS_dup2, "dup2"},
    {SYS_dup3, "dup3"},
    {SYS_mmap, "mmap"},
    {SYS_munmap, "munmap"},
    {SYS_mprotect, "mprotect"},
    {SYS_mremap, "mremap"},
    {SYS_madvise, "madvise"},
    {SYS_brk, "brk"},
    {SYS_pipe, "pipe"},
    {SYS_pipe2, "pipe2"},
    {SYS_socket, "socket"},
    {SYS_fcntl, "fcntl"},
    {SYS_ioctl, "ioctl"},
    {SYS_rt_sigaction, "sigaction"},
    {SYS_chdir, "chdir"},
    {SYS_memfd_create, "memfd_create"},
    {SYS_sigaltstack, "sigaltstack"},
    {SYS_umask, "umask"},
    {SYS_close_range, "close_range"},
    {SYS_prctl, "prctl"},
};

}  // namespace

void need_fork_for(long number, long first_argument) {
  if (!runs_in_place()) return;
  if (leaves_no_trace(number, first_argument)) {
    if (number == SYS_read || number == SYS_readv || number == SYS_lseek) note_input_read();
    return;
  }
  for (const Name& known : kNames) {
    if (known.number == number) need_fork(known.name);
  }
  char what[48];
  snprintf(what, sizeof what, "system call %ld", number);
  need_fork(what);
}

long program_syscall(long number, long a, long b, long c, long d, long e, long f) {
  need_fork_for(number, a);
  return raw_syscall(number, a, b, c, d, e, f);
}

}  // namespace mazurka
