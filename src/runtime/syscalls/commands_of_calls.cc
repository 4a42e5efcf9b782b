#include "runtime/syscalls/commands_of_calls.h"

#include <asm/prctl.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

namespace mazurka {
namespace {

constexpr unsigned long kTcGets2 = 0x802c542a;  // its structure is of the kernel's own headers

bool is_look_at_interface(unsigned long request) {
  switch (request) {
    case SIOCGIFNAME:
    case SIOCGIFCONF:
    case SIOCGIFFLAGS:
    case SIOCGIFADDR:
    case SIOCGIFDSTADDR:
    case SIOCGIFBRDADDR:
    case SIOCGIFNETMASK:
    case SIOCGIFMETRIC:
    case SIOCGIFMTU:
    case SIOCGIFHWADDR:
    case SIOCGIFINDEX:
      return true;
    default:
      return false;
  }
}

bool is_unknown_prctl(long command) {
  switch (command) {
    case PR_GET_NAME:
    case PR_SET_NAME:
    case PR_GET_DUMPABLE:
    case PR_SET_DUMPABLE:
    case PR_GET_PDEATHSIG:
    case PR_GET_NO_NEW_PRIVS:
    case PR_SET_NO_NEW_PRIVS:
    case PR_GET_TIMERSLACK:
    case PR_SET_TIMERSLACK:
    case PR_GET_SECCOMP:
    case PR_GET_KEEPCAPS:
    case PR_SET_KEEPCAPS:
    case PR_CAPBSET_READ:
    case PR_GET_THP_DISABLE:
    case PR_SET_THP_DISABLE:
    case 0x53564d41:  // PR_SET_VMA: names for mappings
      return false;
    default:
      return true;
  }
}

}  // namespace

bool is_unknown_command(long number, const long* a, bool is_libc) {
  if (number == SYS_prctl) return is_unknown_prctl(a[0]);
  const bool reads = a[0] == ARCH_GET_FS || a[0] == ARCH_GET_GS;
  return !reads && !is_libc;
}

bool only_reads(long number, const long* a) { return number == SYS_prlimit64 && a[2] == 0; }

bool is_harmless_ioctl(unsigned long request) {
  // The interfaces of the machine, which no thread of the program changes past us unnoticed.
  if (is_look_at_interface(request)) return true;
  switch (request) {
    case TCGETS:  // isatty, and what a terminal is like: it is the tool's
    case kTcGets2:
    case TIOCGWINSZ:
    case TIOCGPGRP:
    case TIOCGSID:
    case FIOCLEX:  // the model is told of these four
    case FIONCLEX:
    case FIONREAD:
    case FIONBIO:
    case FICLONE:          // a change of the file: seen as that
    case FS_IOC_GETFLAGS:  // what is constant on the disk
    case FS_IOC_GETVERSION:
    case FIGETBSZ:
    case BLKGETSIZE64:
    case BLKSSZGET:
      return true;
    default:
      return false;
  }
}

bool is_known_fcntl(long command) {
  switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
    case F_GETFD:
    case F_SETFD:
    case F_GETFL:
    case F_SETFL:
    case F_GETLK:
    case F_SETLK:
    case F_SETLKW:
    case F_OFD_GETLK:
    case F_OFD_SETLK:
    case F_OFD_SETLKW:
    case F_GETPIPE_SZ:
    case F_SETPIPE_SZ:
    case F_GETOWN:
    case F_GETSIG:
    case F_GETLEASE:
    case F_GET_SEALS:
    case F_ADD_SEALS:
    case F_GET_RW_HINT:
    case F_SET_RW_HINT:
      return true;
    default:  // F_SETOWN, F_SETSIG, F_NOTIFY, F_SETLEASE: signals that no model sends
      return false;
  }
}

bool libc_may_make(long number, const long* a) {
  switch (number) {
    case SYS_socket:
    case SYS_socketpair:
    case SYS_connect:
    case SYS_bind:
    case SYS_listen:
    case SYS_accept:
    case SYS_accept4:
    case SYS_clone:
    case SYS_clone3:
    case SYS_fork:
    case SYS_vfork:
    case SYS_execve:
    case SYS_execveat:
    case SYS_wait4:
    case SYS_waitid:
    case SYS_kill:
    case SYS_tkill:
    case SYS_rt_sigqueueinfo:
    case SYS_rt_tgsigqueueinfo:
    case SYS_rt_sigsuspend:
    case SYS_rt_sigtimedwait:
    case SYS_rt_sigpending:
    case SYS_pause:
    case SYS_semget:
    case SYS_semop:
    case SYS_semtimedop:
    case SYS_semctl:
    case SYS_shmget:
    case SYS_shmat:
    case SYS_shmctl:
    case SYS_msgget:
    case SYS_msgsnd:
    case SYS_msgrcv:
    case SYS_msgctl:
    case SYS_flock:
    case SYS_timer_create:
    case SYS_timer_settime:
    case SYS_setitimer:
    case SYS_alarm:
    case SYS_eventfd2:
    case SYS_timerfd_create:
    case SYS_epoll_create1:
    case SYS_epoll_wait:
    case SYS_epoll_pwait:
    case SYS_mq_open:
    case SYS_mq_timedsend:
    case SYS_mq_timedreceive:
    case SYS_splice:
    case SYS_tee:
    case SYS_vmsplice:
      return false;
    case SYS_ioctl:
      return is_harmless_ioctl(static_cast<unsigned long>(a[1]));
    case SYS_fcntl:
      return is_known_fcntl(a[1]);
    default:
      return true;
  }
}

}  // namespace mazurka
