// syscall(): what has a model goes there, what blocks or communicates without one is named, the
// rest is the kernel's.
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/core/failure.h"
#include "runtime/core/raw.h"
#include "runtime/core/runtime.h"
#include "runtime/files/file_syscalls.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/sync/futex_calls.h"

namespace mazurka {
namespace {

using Arguments = long[6];

template <typename T>
T* pointer(long argument) {
  return reinterpret_cast<T*>(argument);
}

long pass_on(long number, const Arguments& a) {
  if (is_file_call(number, a)) return with_errno(do_file_call(number, a, MAZURKA_HERE));
  return with_errno(program_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]));
}

// What blocks, or lets processes speak to each other, and is not handed to a function of that name
// below.
const char* name_if_unmodelled(long number) {
  switch (number) {
#define MAZURKA_NAMED(name) \
  case SYS_##name:          \
    return "syscall(SYS_" #name ")"
    MAZURKA_NAMED(clone3);
    MAZURKA_NAMED(io_getevents);
    MAZURKA_NAMED(io_uring_enter);
    MAZURKA_NAMED(mq_open);
    MAZURKA_NAMED(mq_unlink);
    MAZURKA_NAMED(pidfd_open);
    MAZURKA_NAMED(pidfd_send_signal);
    MAZURKA_NAMED(process_vm_readv);
    MAZURKA_NAMED(process_vm_writev);
    MAZURKA_NAMED(pselect6);
    MAZURKA_NAMED(ptrace);
    MAZURKA_NAMED(rt_sigaction);
    MAZURKA_NAMED(rt_sigpending);
    MAZURKA_NAMED(rt_sigprocmask);
    MAZURKA_NAMED(rt_sigqueueinfo);
    MAZURKA_NAMED(rt_sigtimedwait);
    MAZURKA_NAMED(splice);
    MAZURKA_NAMED(timer_create);
    MAZURKA_NAMED(tkill);
    MAZURKA_NAMED(unshare);
#undef MAZURKA_NAMED
    default:
      return nullptr;
  }
}

// A clone that copies the process is a fork. One that shares memory would be a thread that nobody
// schedules.
long clone_call(unsigned long flags, long stack, Call call) {
  constexpr unsigned long kShares = CLONE_THREAD | CLONE_SIGHAND | CLONE_FILES | CLONE_FS;
  if (stack == 0 && (flags & kShares) == 0 &&
      ((flags & CLONE_VM) == 0 || (flags & CLONE_VFORK) != 0))
    return fork();
  name_unmodelled("syscall(SYS_clone)", call);
  errno = ENOSYS;
  return -1;
}

// Ends the calling thread only.
[[noreturn]] void exit_call(int status) {
  if (world().process(current_process()).live_threads > 1) pthread_exit(nullptr);
  _exit(status);
}

// The functions called here and below are our own where we have them, libc's otherwise.
long dispatch_descriptors(long number, const Arguments& a, Call call) {
  const int fd = static_cast<int>(a[0]);
  const auto size = static_cast<size_t>(a[2]);
  switch (number) {
    case SYS_read:
      return read(fd, pointer<void>(a[1]), size);
    case SYS_write:
      return write(fd, pointer<void>(a[1]), size);
    case SYS_readv:
      return readv(fd, pointer<iovec>(a[1]), static_cast<int>(a[2]));
    case SYS_writev:
      return writev(fd, pointer<iovec>(a[1]), static_cast<int>(a[2]));
    case SYS_pipe:
      return pipe(pointer<int>(a[0]));
    case SYS_pipe2:
      return pipe2(pointer<int>(a[0]), static_cast<int>(a[1]));
    case SYS_socket:
      return socket(fd, static_cast<int>(a[1]), static_cast<int>(a[2]));
    case SYS_socketpair:
      return socketpair(fd, static_cast<int>(a[1]), static_cast<int>(a[2]), pointer<int>(a[3]));
    case SYS_accept:
      return accept(fd, pointer<sockaddr>(a[1]), pointer<socklen_t>(a[2]));
    case SYS_accept4:
      return accept4(fd, pointer<sockaddr>(a[1]), pointer<socklen_t>(a[2]), static_cast<int>(a[3]));
    case SYS_connect:
      return connect(fd, pointer<sockaddr>(a[1]), static_cast<socklen_t>(a[2]));
    case SYS_recvfrom:
      return recvfrom(fd, pointer<void>(a[1]), size, static_cast<int>(a[3]),
                      pointer<sockaddr>(a[4]), pointer<socklen_t>(a[5]));
    case SYS_sendto:
      return sendto(fd, pointer<void>(a[1]), size, static_cast<int>(a[3]), pointer<sockaddr>(a[4]),
                    static_cast<socklen_t>(a[5]));
    case SYS_recvmsg:
      return recvmsg(fd, pointer<msghdr>(a[1]), static_cast<int>(a[2]));
    case SYS_sendmsg:
      return sendmsg(fd, pointer<msghdr>(a[1]), static_cast<int>(a[2]));
    case SYS_poll:
      return poll(pointer<pollfd>(a[0]), static_cast<nfds_t>(a[1]), static_cast<int>(a[2]));
    case SYS_ppoll:
      return ppoll(pointer<pollfd>(a[0]), static_cast<nfds_t>(a[1]), pointer<timespec>(a[2]),
                   pointer<sigset_t>(a[3]));
    case SYS_select:
      return select(fd, pointer<fd_set>(a[1]), pointer<fd_set>(a[2]), pointer<fd_set>(a[3]),
                    pointer<timeval>(a[4]));
    case SYS_epoll_wait:
      return epoll_wait(fd, pointer<epoll_event>(a[1]), static_cast<int>(a[2]),
                        static_cast<int>(a[3]));
    case SYS_epoll_pwait:
      return epoll_pwait(fd, pointer<epoll_event>(a[1]), static_cast<int>(a[2]),
                         static_cast<int>(a[3]), pointer<sigset_t>(a[4]));
    case SYS_eventfd2:
      return eventfd(static_cast<unsigned>(a[0]), static_cast<int>(a[1]));
    case SYS_timerfd_create:
      return timerfd_create(fd, static_cast<int>(a[1]));
    case SYS_flock:
      return flock(fd, static_cast<int>(a[1]));
    case SYS_mq_timedreceive:
      return mq_timedreceive(fd, pointer<char>(a[1]), size, pointer<unsigned>(a[3]),
                             pointer<timespec>(a[4]));
    case SYS_mq_timedsend:
      return mq_timedsend(fd, pointer<char>(a[1]), size, static_cast<unsigned>(a[3]),
                          pointer<timespec>(a[4]));
    case SYS_msgget:
      return msgget(static_cast<key_t>(a[0]), static_cast<int>(a[1]));
    case SYS_msgctl:
      return msgctl(fd, static_cast<int>(a[1]), pointer<msqid_ds>(a[2]));
    case SYS_msgrcv:
      return msgrcv(fd, pointer<void>(a[1]), size, a[3], static_cast<int>(a[4]));
    case SYS_msgsnd:
      return msgsnd(fd, pointer<void>(a[1]), size, static_cast<int>(a[3]));
    default:
      if (const char* name = name_if_unmodelled(number)) name_unmodelled(name, call);
      return pass_on(number, a);
  }
}

long dispatch(long number, const Arguments& a, Call call) {
  switch (number) {
    case SYS_futex:
      return with_errno(futex(a, call));
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
      return clone_call(static_cast<unsigned long>(a[0]), a[1], call);
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
    case SYS_rt_sigsuspend:
      return sigsuspend(pointer<sigset_t>(a[0]));
    default:
      return dispatch_descriptors(number, a, call);
  }
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT long syscall(long number, ...) noexcept {
  Arguments a;
  va_list list;
  va_start(list, number);
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  return attached() ? dispatch(number, a, MAZURKA_HERE) : pass_on(number, a);
}
