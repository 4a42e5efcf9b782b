#include "runtime/syscalls/watched_calls.h"

#include <linux/audit.h>
#include <linux/futex.h>
#include <linux/prctl.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runtime/channels/channel_calls.h"
#include "runtime/channels/descriptors.h"
#include "runtime/core/crash.h"
#include "runtime/core/failure.h"
#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/files/file_syscalls.h"
#include "runtime/files/files.h"
#include "runtime/patches/vector_state.h"
#include "runtime/reset/in_place.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/signals/signal_handler.h"
#include "runtime/sync/futex_calls.h"
#include "runtime/syscalls/call_table.h"
#include "runtime/syscalls/calls_of_program.h"
#include "runtime/syscalls/code_of_libc.h"
#include "runtime/syscalls/signal_syscalls.h"

extern "C" void mazurka_redirect();
extern "C" long mazurka_int_80(long number, long a, long b, long c, long d, long e);
extern "C" [[noreturn]] void mazurka_go_on_stack(uint64_t stack, uint64_t pc);
extern "C" void mazurka_signal_return();

namespace mazurka {
namespace {

#ifndef PR_SET_SYSCALL_USER_DISPATCH
constexpr int PR_SET_SYSCALL_USER_DISPATCH = 59;
#endif

constexpr greg_t kRedZone = 128;
constexpr char kLetThrough = 0;
constexpr char kStop = 1;          // what our own code does not call
constexpr long kFirstOfLibc = 32;  // of the two signals that libc keeps for itself

// Of a kernel thread.
struct Watch {
  volatile char selector;
  bool is_own;  // what libc calls, it calls for us
};
Watch watch_of_fibers;
thread_local Watch watch_of_thread;
Watch& watch_here() { return state.carrier == Carrier::Fibers ? watch_of_fibers : watch_of_thread; }

bool is_redirected(long number, int fd) {
  switch (number) {
    case SYS_read:
    case SYS_write:
    case SYS_readv:
    case SYS_writev:
    case SYS_recvfrom:
    case SYS_sendto:
      return description_of(fd) != kNoObject;
    case SYS_close:
      return any_description_of(fd) != kNoObject || close_gives_up_records(fd);
    default:
      return false;
  }
}

bool somebody_waits_for_futex() {
  for (uint32_t i = 0; i < world().thread_limit; ++i) {
    const ThreadState& thread = world().threads[i];
    const bool waits =
        thread.pending.kind == OpKind::FutexWait || thread.pending.kind == OpKind::FutexBlocked;
    if (waits && thread.status == ThreadStatus::AtOperation && thread.process == current_process())
      return true;
  }
  return false;
}

// A lock inside libc: its holder has kept it over an operation, and another wants it.
bool is_awaited_lock(long number, long operation) {
  return number == SYS_futex &&
         ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT || somebody_waits_for_futex());
}

// The file that the call changes, or -1.
int changed_by(long number, const long* a) {
  switch (number) {
    case SYS_write:
    case SYS_writev:
    case SYS_pwrite64:
    case SYS_pwritev:
    case SYS_pwritev2:
    case SYS_ftruncate:
    case SYS_fallocate:
    case SYS_sendfile:
    case SYS_fchmod:
    case SYS_fchown:
      return static_cast<int>(a[0]);
    case SYS_splice:
    case SYS_copy_file_range:
      return static_cast<int>(a[2]);
    default:
      return -1;
  }
}

struct Arguments {
  long values[6];
  explicit Arguments(const greg_t* registers)
      : values{registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
               registers[REG_R10], registers[REG_R8],  registers[REG_R9]} {}
};

// The thread goes on in mazurka_redirect, on its own stack: in the handler it could not wait for
// others.
void redirect(greg_t* registers) {
  registers[REG_RSP] -= kRedZone + static_cast<greg_t>(sizeof(greg_t));
  *reinterpret_cast<greg_t*>(registers[REG_RSP]) = registers[REG_RIP];
  registers[REG_RIP] = reinterpret_cast<greg_t>(&mazurka_redirect);
}

// forkpty, _Fork: the process is copied. wordexp: a child with a stack of its own, up to its exec.
bool is_fork_of_libc(long number, const long* a) {
  if (number != SYS_clone || (a[0] & CLONE_THREAD) != 0) return false;
  return (a[0] & CLONE_VM) == 0 ? a[1] == 0 : (a[0] & CLONE_VFORK) != 0;
}

// What wordexp and freopen do to descriptors and children with a model: as if the program did it.
bool is_as_of_program(long number) {
  return number == SYS_pipe2 || number == SYS_dup2 || number == SYS_dup3 || number == SYS_execve ||
         number == SYS_wait4;
}

// The function takes its arguments from its stack, so nothing else need be as it was.
long fork_for_libc(long flags, uint64_t stack, uint64_t pc) {
  const pid_t child = fork();
  if (child == 0 && (flags & CLONE_VM) != 0) mazurka_go_on_stack(stack, pc);
  return child;
}

// A system call of libc that is an operation.
bool is_operation_of_libc(long number, const long* a) {
  if (number == SYS_rt_sigaction) return a[1] != 0 && a[0] < kFirstOfLibc;
  if (number == SYS_exit_group) return true;  // two threads in exit()
  if (is_fork_of_libc(number, a) || is_as_of_program(number)) return true;
  if (runs_in_place()) return false;
  return is_redirected(number, static_cast<int>(a[0])) || is_awaited_lock(number, a[1]);
}

bool becomes_operation(long number, const long* a, CallBy by) {
  if (is_file_call(number, a)) return true;
  return by == CallBy::Libc ? is_operation_of_libc(number, a)
                            : row_of_call(number).known == Known::Modelled;
}

void do_in_handler(long number, greg_t* registers) {
  const auto pc = static_cast<uint64_t>(registers[REG_RIP]);
  const CallBy by = is_code_of_libc(pc) ? CallBy::Libc : CallBy::Program;
  const Arguments arguments(registers);
  const long* const a = arguments.values;
  if (watch_here().is_own) {
    registers[REG_RAX] = program_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  } else if (becomes_operation(number, a, by)) {
    redirect(registers);
  } else {
    registers[REG_RAX] = pass_call(number, a, by, {.pc = pc});
  }
}

// The kernel's mask is empty but in handlers of real faults, and libc must not block more: so only
// what it unblocks counts (a jump out of such a handler). It takes effect when we return.
long change_real_mask(const long* a, sigset_t& interrupted) {
  uint64_t present = 0;
  memcpy(&present, &interrupted, sizeof present);
  const auto* const set = reinterpret_cast<const uint64_t*>(a[1]);
  if (a[2] != 0) memcpy(reinterpret_cast<void*>(a[2]), &present, sizeof present);
  if (set == nullptr || a[0] == SIG_BLOCK) return 0;
  present &= a[0] == SIG_UNBLOCK ? ~*set : *set;
  memcpy(&interrupted, &present, sizeof present);
  return 0;
}

bool is_mask_of_libc(long number, const greg_t* registers) {
  return number == SYS_rt_sigprocmask && !watch_here().is_own &&
         is_code_of_libc(static_cast<uint64_t>(registers[REG_RIP]));
}

// Numbers and arguments of the 32-bit kind are others, and no table has them.
void do_in_handler_as_32_bit(greg_t* registers) {
  need_fork("a 32-bit system call");
  name_unmodelled("a 32-bit system call (int 0x80)",
                  {.pc = static_cast<uint64_t>(registers[REG_RIP])});
  registers[REG_RAX] = mazurka_int_80(registers[REG_RAX], registers[REG_RBX], registers[REG_RCX],
                                      registers[REG_RDX], registers[REG_RSI], registers[REG_RDI]);
}

bool is_watching;

}  // namespace

void on_system_call(int signal, siginfo_t* info, void* context_pointer) {
  auto& interrupted = *static_cast<ucontext_t*>(context_pointer);
  auto& registers = interrupted.uc_mcontext.gregs;
  constexpr int kUserDispatch = 2;  // SYS_USER_DISPATCH
  if (info->si_code != kUserDispatch) return crash(signal, context_pointer);
  const long number = info->si_syscall;
  registers[REG_RAX] = number;
  if (info->si_arch != AUDIT_ARCH_X86_64) {
    do_in_handler_as_32_bit(registers);
  } else if (number == SYS_rt_sigreturn) {  // from a handler of the program's own
    registers[REG_RIP] = reinterpret_cast<greg_t>(&mazurka_signal_return);
  } else if (is_mask_of_libc(number, registers)) {
    registers[REG_RAX] = change_real_mask(Arguments(registers).values, interrupted.uc_sigmask);
  } else {
    do_in_handler(number, registers);
  }
}

bool dispatch_calls(volatile char* chosen_by) {
  uintptr_t start = 0;
  size_t length = 0;
  if (!own_code(start, length)) return false;
  find_code_of_libc();
  find_vectors();
  install_handler(SIGSYS, on_system_call);
  return raw_syscall(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, 1, static_cast<long>(start),
                     static_cast<long>(length), address_of(const_cast<char*>(chosen_by))) == 0;
}

namespace {

bool watch() {
  watch_here().selector = kStop;
  return dispatch_calls(&watch_here().selector);
}

template <typename T>
T* pointer(long argument) {
  return reinterpret_cast<T*>(argument);
}

// The lock of a stream. Who gets it first is seen only where another comes while it is held.
long lock_inside_libc(const long (&arguments)[6], Call call) {
  const long operation = arguments[1] & FUTEX_CMD_MASK;
  if (operation == FUTEX_WAIT) name_unmodelled("a stream of libc that several threads use", call);
  return with_errno(futex(arguments, call));
}

long do_call(const long* a, Call call) {
  const int fd = static_cast<int>(a[1]);
  switch (a[0]) {
    case SYS_read:
      return channel_read(fd, pointer<void>(a[2]), static_cast<size_t>(a[3]), call);
    case SYS_write:
      return channel_write(fd, pointer<void>(a[2]), static_cast<size_t>(a[3]), call);
    case SYS_readv:
      return channel_readv(fd, pointer<iovec>(a[2]), static_cast<int>(a[3]), call);
    case SYS_writev:
      return channel_writev(fd, pointer<iovec>(a[2]), static_cast<int>(a[3]), call);
    case SYS_recvfrom:
      return channel_receive(fd, pointer<void>(a[2]), static_cast<size_t>(a[3]),
                             static_cast<int>(a[4]), pointer<sockaddr>(a[5]),
                             pointer<socklen_t>(a[6]), call);
    case SYS_sendto:
      return channel_send(fd, pointer<void>(a[2]), static_cast<size_t>(a[3]),
                          static_cast<int>(a[4]), pointer<sockaddr>(a[5]),
                          static_cast<socklen_t>(a[6]), call);
    case SYS_futex:
      return lock_inside_libc({a[1], a[2], a[3], a[4], a[5], a[6]}, call);
    case SYS_rt_sigaction:
      return do_signal_call(a[0], a + 1);
    case SYS_exit_group:
      end_process((fd & 0xff) << 8, call);
    case SYS_clone:
      return fork_for_libc(a[1], static_cast<uint64_t>(a[2]), call.pc);
    default:
      return close(fd);
  }
}

void name_call(long number, bool is_libc, Call call) {
  if (is_libc && (number == SYS_clone || number == SYS_clone3))
    return name_unmodelled("a thread that libc starts by itself (refused)", call);
  char text[96];
  snprintf(text, sizeof text,
           is_libc ? "%s (a system call that libc makes)" : "%s (a system call of the program)",
           name_of_call(number));
  name_unmodelled(text, call);
}

// One that is for other devices does nothing.
long do_device_call(const long* a, Call call) {
  const long result = program_syscall(SYS_ioctl, a[0], a[1], a[2]);
  if (result != -ENOTTY && result != -EBADF) name_call(SYS_ioctl, true, call);
  return result;
}

}  // namespace

void watch_calls() {
  if (is_watching) return;
  is_watching = watch();
  if (is_watching) return;
  name_unmodelled("system calls that no interposer sees (this kernel does not tell of them)", {});
  each_descriptor([&](const DescriptorRecord& record) {
    if (record.fd <= STDERR_FILENO)
      give_up_model(record.description, "a pipe or socket as a standard stream", {});
  });
}

void watch_calls_of_new_thread() {
  if (is_watching) watch();
}

namespace {

// What would change our own calls as well, or the end that we have planned for the process. The
// result is what the program gets instead.
bool is_against_us(long number, const long* a, long& result, const char*& name) {
  constexpr long kListener = 8;  // SECCOMP_FILTER_FLAG_NEW_LISTENER
  const bool filters = number == SYS_seccomp && (a[0] == 0 || a[0] == 1);
  if (filters || (number == SYS_prctl && a[0] == PR_SET_SECCOMP)) {
    name = "seccomp (a filter for system calls; accepted and not applied)";
    result = filters && (a[1] & kListener) != 0 ? -EINVAL : 0;
    return true;
  }
  if (number != SYS_prctl) return false;
  name = a[0] == PR_SET_PDEATHSIG ? "prctl PR_SET_PDEATHSIG (accepted, and the signal is not sent)"
                                  : "prctl PR_SET_SYSCALL_USER_DISPATCH (refused)";
  result = a[0] == PR_SET_PDEATHSIG ? 0 : -EINVAL;
  return a[0] == PR_SET_PDEATHSIG || a[0] == PR_SET_SYSCALL_USER_DISPATCH;
}

}  // namespace

long pass_call(long number, const long* a, CallBy by, Call call) {
  long instead = 0;
  const char* name = nullptr;
  if (is_against_us(number, a, instead, name)) {
    name_unmodelled(name, call);
    return instead;
  }
  const int fd = uses_private_files() ? -1 : changed_by(number, a);
  if (fd >= 0) note_change_of_file(fd, call);
  const CallMaker maker{by == CallBy::Libc, world().process(current_process()).live_threads <= 1};
  if (number == SYS_ioctl && a[1] == TCGETS)  // isatty
    return raw_syscall(number, a[0], a[1], a[2]);
  const bool is_unknown = is_unknown_call(number, a, maker);
  if (number == SYS_ioctl && is_unknown) return do_device_call(a, call);
  // Libc has another way then, which is_fork_of_libc knows.
  if (maker.is_libc && number == SYS_clone3 && (*pointer<long>(a[0]) & CLONE_VFORK) != 0)
    return -ENOSYS;
  if (is_unknown) name_call(number, maker.is_libc, call);
  // Nobody would schedule it, and it would begin in the handler that we are in.
  if (maker.is_libc && (number == SYS_clone || number == SYS_clone3)) return -EAGAIN;
  return program_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

bool calls_are_watched() { return is_watching || runs_in_place(); }

void note_change_of_file(int fd, Call call) {
  struct stat status {};
  if (file_description_of(fd) == kNoObject ||
      raw_failed(raw_syscall(SYS_fstat, fd, address_of(&status))))
    return;
  if (status.st_nlink > 0) need_private_files(MAZURKA_LASTING("writing to a file"), call);
}

// A thread that is cloned by a call that was caught would begin in the handler: so the kernel lets
// them all through.
OwnCalls::OwnCalls() : before_(static_cast<char>(watch_here().is_own)) {
  watch_here().is_own = true;
  watch_here().selector = kLetThrough;
}
OwnCalls::~OwnCalls() {
  watch_here().is_own = before_;
  if (!before_) watch_here().selector = kStop;
}

void watch_calls_again() {
  is_watching = false;
  watch_calls();
}

}  // namespace mazurka

using namespace mazurka;

extern "C" long mazurka_redirected_call(const long* number_and_arguments, uint64_t pc) {
  const int kept_errno = errno;
  const long number = number_and_arguments[0];
  const long* const a = number_and_arguments + 1;
  const Call call{.pc = pc};
  long result = 0;
  if (!is_code_of_libc(pc) || is_as_of_program(number)) {
    result = do_call_of_program(number, a, call);
  } else if (is_file_call(number, a)) {
    result = with_errno(do_file_call(number, a, call));
  } else {
    result = do_call(number_and_arguments, call);
  }
  const long answer = result == -1 ? -errno : result;
  errno = kept_errno;
  return answer;
}
