// A system call that the program makes by its number, by syscall() or by an instruction of its own:
// the same as the function of libc with that name.
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/core/failure.h"
#include "runtime/core/raw.h"
#include "runtime/core/runtime.h"
#include "runtime/files/file_syscalls.h"
#include "runtime/sync/futex_calls.h"
#include "runtime/syscalls/call_table.h"
#include "runtime/syscalls/calls_of_program.h"
#include "runtime/syscalls/signal_syscalls.h"
#include "runtime/syscalls/watched_calls.h"

namespace mazurka {
namespace {

template <typename T>
T* pointer(long argument) {
  return reinterpret_cast<T*>(argument);
}

// struct clone_args, of which we need the beginning.
struct CloneArguments {
  uint64_t flags;
  uint64_t pidfd;
  uint64_t child_tid;
  uint64_t parent_tid;
  uint64_t exit_signal;
  uint64_t stack;
};

// A clone that copies the process is a fork. One that shares memory would be a thread that nobody
// schedules.
long clone_call(const CloneArguments& wanted, Call call) {
  constexpr uint64_t kOfFork = CLONE_VM | CLONE_VFORK | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID |
                               CLONE_PARENT_SETTID | CLONE_IO;
  const bool is_copy = (wanted.flags & CLONE_VM) == 0 || (wanted.flags & CLONE_VFORK) != 0;
  if (wanted.stack != 0 || (wanted.flags & ~kOfFork) != 0 || !is_copy) {
    name_unmodelled(is_copy && wanted.stack == 0
                        ? "clone with flags that no fork has (refused)"
                        : "clone (a thread that nobody schedules; refused)",
                    call);
    return fail(ENOSYS);
  }
  if (wanted.exit_signal != SIGCHLD)
    name_unmodelled("clone with an exit signal other than SIGCHLD", call);
  const pid_t child = fork();
  if (child == 0 && (wanted.flags & CLONE_CHILD_SETTID) != 0)
    *reinterpret_cast<pid_t*>(wanted.child_tid) = gettid();
  if (child > 0 && (wanted.flags & CLONE_PARENT_SETTID) != 0)
    *reinterpret_cast<pid_t*>(wanted.parent_tid) = child;
  return child;
}

CloneArguments clone_arguments(const long* a) {
  return {.flags = static_cast<uint64_t>(a[0]) & ~uint64_t{CSIGNAL},
          .pidfd = 0,
          .child_tid = static_cast<uint64_t>(a[3]),
          .parent_tid = static_cast<uint64_t>(a[2]),
          .exit_signal = static_cast<uint64_t>(a[0]) & CSIGNAL,
          .stack = static_cast<uint64_t>(a[1])};
}

// The kernel says how many bytes of the set it has written.
long affinity_call(const long* a) {
  const auto size = static_cast<size_t>(a[1]);
  const int result = sched_getaffinity(static_cast<pid_t>(a[0]), size, pointer<cpu_set_t>(a[2]));
  return result < 0 ? result : static_cast<long>(size < 8 ? size : 8);
}

// Ends the calling thread only.
[[noreturn]] void exit_call(int status) {
  if (world().process(current_process()).live_threads > 1) pthread_exit(nullptr);
  _exit(status);
}

long dispatch_machine(long number, const long* a, Call call) {
  const auto pid = static_cast<pid_t>(a[0]);
  switch (number) {
    case SYS_getitimer:
      return getitimer(static_cast<__itimer_which_t>(a[0]), pointer<itimerval>(a[1]));
    case SYS_setitimer:
      return setitimer(static_cast<__itimer_which_t>(a[0]), pointer<itimerval>(a[1]),
                       pointer<itimerval>(a[2]));
    case SYS_getrusage:
      return getrusage(static_cast<__rusage_who_t>(a[0]), pointer<rusage>(a[1]));
    case SYS_times:
      return times(pointer<tms>(a[0]));
    case SYS_clock_getres:
      return clock_getres(static_cast<clockid_t>(a[0]), pointer<timespec>(a[1]));
    case SYS_clock_settime:
      return clock_settime(static_cast<clockid_t>(a[0]), pointer<timespec>(a[1]));
    case SYS_setpgid:
      return setpgid(pid, static_cast<pid_t>(a[1]));
    case SYS_getpgid:
      return getpgid(pid);
    case SYS_getpgrp:
      return getpgrp();
    case SYS_getsid:
      return getsid(pid);
    case SYS_setsid:
      return setsid();
    case SYS_sched_setparam:
      return sched_setparam(pid, pointer<sched_param>(a[1]));
    case SYS_sched_getparam:
      return sched_getparam(pid, pointer<sched_param>(a[1]));
    case SYS_sched_setscheduler:
      return sched_setscheduler(pid, static_cast<int>(a[1]), pointer<sched_param>(a[2]));
    case SYS_sched_getscheduler:
      return sched_getscheduler(pid);
    case SYS_sched_setaffinity:
      return sched_setaffinity(pid, static_cast<size_t>(a[1]), pointer<cpu_set_t>(a[2]));
    case SYS_sched_getaffinity:
      return affinity_call(a);
    case SYS_getcpu:
      return getcpu(pointer<unsigned>(a[0]), pointer<unsigned>(a[1]));
    case SYS_sigaltstack:
      return sigaltstack(pointer<stack_t>(a[0]), pointer<stack_t>(a[1]));
    case SYS_execveat:
      return execveat(static_cast<int>(a[0]), pointer<char>(a[1]), pointer<char*>(a[2]),
                      pointer<char*>(a[3]), static_cast<int>(a[4]));
    case SYS_clone3:
      return clone_call(*pointer<CloneArguments>(a[0]), call);
    default:
      return with_errno(pass_call(number, a, CallBy::Program, call));
  }
}

long dispatch_rest(long number, const long* a, Call call) {
  long result = 0;
  if (do_descriptor_call(number, a, result) || do_path_call(number, a, call, result)) return result;
  return dispatch_machine(number, a, call);
}

// NOLINTNEXTLINE(readability-function-size): a flat switch
long dispatch(long number, const long* a, Call call) {
  switch (number) {
    case SYS_futex:
      return with_errno(futex({a[0], a[1], a[2], a[3], a[4], a[5]}, call));
    case SYS_gettid:
      return gettid();
    case SYS_getpid:
      return getpid();
    case SYS_getppid:
      return getppid();
    case SYS_sched_yield:
      return sched_yield();
    case SYS_nanosleep:
      return nanosleep(pointer<timespec>(a[0]), pointer<timespec>(a[1]));
    case SYS_clock_nanosleep:
      return with_errno(-clock_nanosleep(static_cast<clockid_t>(a[0]), static_cast<int>(a[1]),
                                         pointer<timespec>(a[2]), pointer<timespec>(a[3])));
    case SYS_clock_gettime:
      return clock_gettime(static_cast<clockid_t>(a[0]), pointer<timespec>(a[1]));
    case SYS_gettimeofday:
      return gettimeofday(pointer<timeval>(a[0]), pointer<void>(a[1]));
    case SYS_time:
      return time(pointer<time_t>(a[0]));
    case SYS_getrandom:
      return getrandom(pointer<void>(a[0]), static_cast<size_t>(a[1]), static_cast<unsigned>(a[2]));
    case SYS_fork:
    case SYS_vfork:  // its frame would be gone when the parent goes on
      return fork();
    case SYS_clone:
      return clone_call(clone_arguments(a), call);
    case SYS_execve:
      return execve(pointer<char>(a[0]), pointer<char*>(a[1]), pointer<char*>(a[2]));
    case SYS_wait4:
      return wait4(static_cast<pid_t>(a[0]), pointer<int>(a[1]), static_cast<int>(a[2]),
                   pointer<rusage>(a[3]));
    case SYS_waitid:
      return waitid(static_cast<idtype_t>(a[0]), static_cast<id_t>(a[1]), pointer<siginfo_t>(a[2]),
                    static_cast<int>(a[3]));
    case SYS_kill:
      return kill(static_cast<pid_t>(a[0]), static_cast<int>(a[1]));
    case SYS_alarm:
      return alarm(static_cast<unsigned>(a[0]));
    case SYS_tgkill:
      return tgkill(static_cast<pid_t>(a[0]), static_cast<pid_t>(a[1]), static_cast<int>(a[2]));
    case SYS_exit:
      exit_call(static_cast<int>(a[0]));
    case SYS_exit_group:
      _exit(static_cast<int>(a[0]));
    case SYS_semget:
      return semget(static_cast<key_t>(a[0]), static_cast<int>(a[1]), static_cast<int>(a[2]));
    case SYS_semop:
      return semop(static_cast<int>(a[0]), pointer<sembuf>(a[1]), static_cast<size_t>(a[2]));
    case SYS_semtimedop:
      return semtimedop(static_cast<int>(a[0]), pointer<sembuf>(a[1]), static_cast<size_t>(a[2]),
                        pointer<timespec>(a[3]));
    case SYS_semctl:
      return semctl(static_cast<int>(a[0]), static_cast<int>(a[1]), static_cast<int>(a[2]), a[3]);
    case SYS_shmget:
      return shmget(static_cast<key_t>(a[0]), static_cast<size_t>(a[1]), static_cast<int>(a[2]));
    case SYS_shmat:
      return address_of(shmat(static_cast<int>(a[0]), pointer<void>(a[1]), static_cast<int>(a[2])));
    case SYS_shmdt:
      return shmdt(pointer<void>(a[0]));
    case SYS_shmctl:
      return shmctl(static_cast<int>(a[0]), static_cast<int>(a[1]), pointer<shmid_ds>(a[2]));
    case SYS_mmap:
      return address_of(mmap(pointer<void>(a[0]), static_cast<size_t>(a[1]), static_cast<int>(a[2]),
                             static_cast<int>(a[3]), static_cast<int>(a[4]), a[5]));
    case SYS_munmap:
      return munmap(pointer<void>(a[0]), static_cast<size_t>(a[1]));
    case SYS_pause:
      return pause();
    case SYS_mremap:
      return address_of(mremap(pointer<void>(a[0]), static_cast<size_t>(a[1]),
                               static_cast<size_t>(a[2]), static_cast<int>(a[3]),
                               pointer<void>(a[4])));
    default:
      return dispatch_rest(number, a, call);
  }
}

}  // namespace

long do_call_of_program(long number, const long* a, Call call) {
  // What moves bytes to or from a file may have a pipe or socket as its other side.
  const bool moves = number == SYS_sendfile || number == SYS_splice;
  if (!moves && is_file_call(number, a)) return with_errno(do_file_call(number, a, call));
  if (is_signal_call(number)) return do_signal_call(number, a);
  if (row_of_call(number).known == Known::Modelled) return dispatch(number, a, call);
  return with_errno(pass_call(number, a, CallBy::Program, call));
}

}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT long syscall(long number, ...) noexcept {
  long a[6];
  va_list list;
  va_start(list, number);
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  if (!attached()) return with_errno(raw_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]));
  return do_call_of_program(number, a, MAZURKA_HERE);
}
