#include "runtime/signals/signal_actions.h"

#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <initializer_list>

#include "runtime/accesses/handler_accesses.h"
#include "runtime/core/crash.h"
#include "runtime/core/state.h"
#include "runtime/core/stop.h"
#include "runtime/patches/patch_trap.h"
#include "runtime/reset/server.h"
#include "runtime/signals/alternate_stack.h"
#include "runtime/time/time_stamps.h"

namespace mazurka {
namespace {

// What a process knows of its handlers beside the model. Private memory: fork copies it, exec
// forgets it, a reset undoes it.
struct sigaction actions[kLastSignal + 1];

// Real faults are the kernel's: what the program does about them, it does for real.
bool is_fault(int signal) {
  switch (signal) {
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGTRAP:
    case SIGABRT:
    case SIGSYS:
      return true;
    default:
      return false;
  }
}

// Not every fault is the program's, and some handlers want the alternate stack.
void on_fault(int signal, siginfo_t* info, void* context) {
  if (serves_time_stamp(signal, info, context)) return;
  const struct sigaction action = actions[signal];
  if ((action.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) catch_crash(signal);
  if ((action.sa_flags & SA_ONSTACK) != 0)
    return move_to_alternate_stack(action.sa_sigaction, signal, info, context);
  action.sa_sigaction(signal, info, context);
}

// What the runtime needs in a handler of the program's must not wait: the kernel would kill us.
int set_real_action(int signal, const struct sigaction& wanted) {
  struct sigaction real = wanted;
  const bool is_function = wanted.sa_handler != SIG_DFL && wanted.sa_handler != SIG_IGN;
  if (signal == SIGSEGV && !is_function) {
    catch_crash(signal);
    return 0;
  }
  if (is_function && (signal == SIGSEGV || (wanted.sa_flags & SA_ONSTACK) != 0)) {
    real.sa_sigaction = on_fault;
    real.sa_flags |= SA_SIGINFO;
    if (signal == SIGSEGV) real.sa_flags &= ~static_cast<int>(SA_RESETHAND);
  }
  for (const int needed : {SIGSYS, SIGTRAP, kInterruptSignal}) sigdelset(&real.sa_mask, needed);
  return REAL(sigaction)(signal, &real, nullptr);
}

// The C library keeps these for itself.
bool may_be_set(int signal) {
  return signal >= 1 && signal <= kLastSignal && signal != 32 && signal != 33 &&
         signal != SIGKILL && signal != SIGSTOP;
}

uint8_t flags_of(const struct sigaction& action) {
  if (action.sa_handler == SIG_DFL) return 0;
  if (action.sa_handler == SIG_IGN) return kIgnores;
  uint8_t flags = kHandles;
  if (action.sa_flags & SA_RESTART) flags |= kRestarts;
  if (action.sa_flags & SA_NODEFER) flags |= kNoDefer;
  if (action.sa_flags & SA_RESETHAND) flags |= kResetsAction;
  return flags;
}

struct sigaction present_action(int signal) {
  struct sigaction present = actions[signal];
  if (disposition(signal) == Disposition::Handled) return present;
  present.sa_handler = disposition(signal) == Disposition::Ignored ? SIG_IGN : SIG_DFL;
  return present;
}

bool is_own_child(ThreadId thread) {
  const ProcessState& process = world().process(thread);
  return process.exists && process.ended && process.parent == current_process();
}

void call_handler(const struct sigaction& action, int signal, siginfo_t& info, void* context) {
  const SignalFunction handler = action.sa_sigaction;
  if ((action.sa_flags & SA_ONSTACK) != 0)
    return call_on_alternate_stack(handler, signal, &info, context);
  handler(signal, &info, context);
}

void call_with_context(const struct sigaction& action, int signal, siginfo_t& info,
                       uint64_t& restores, Call call) {
  ucontext_t context;
  memset(&context, 0, sizeof context);
  set_bits(context.uc_sigmask, restores);
  context.uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(call.pc);
  const mcontext_t before = context.uc_mcontext;
  call_handler(action, signal, info, &context);
  if (memcmp(&before, &context.uc_mcontext, sizeof before) != 0) {
    name_unmodelled("a signal handler that changes the registers of what it interrupted", call);
  }
  restores = bits_of(context.uc_sigmask);
}

}  // namespace

uint64_t bits_of(const sigset_t& set) {
  uint64_t bits = 0;
  memcpy(&bits, &set, sizeof bits);
  return bits & ~(signal_bit(SIGKILL) | signal_bit(SIGSTOP));
}

void set_bits(sigset_t& set, uint64_t bits) {
  memset(&set, 0, sizeof set);
  memcpy(&set, &bits, sizeof bits);
}

bool waits_for_no_child() {
  return disposition(SIGCHLD) == Disposition::Ignored ||
         (actions[SIGCHLD].sa_flags & SA_NOCLDWAIT) != 0;
}

Disposition disposition(int signal) {
  const SignalTable& table = signal_table(world(), current_process());
  if ((table.handled & signal_bit(signal)) != 0) return Disposition::Handled;
  return (table.ignored & signal_bit(signal)) != 0 ? Disposition::Ignored : Disposition::Default;
}

bool handles_signals() { return signal_table(world(), current_process()).handled != 0; }

void stand_where_signals_come(Call call) {
  if (!state.scheduling || !handles_signals()) return;
  const World& w = world();
  const ThreadId me = current_thread();
  const bool none_can_come = w.alone(me) && deliverable(w, me, blocked_signals()) == 0;
  if (!none_can_come) reach({.kind = OpKind::Toss, .flags = kForSignals}, call);
}

void block_signals(uint64_t set, Call call) {
  if (set == blocked_signals()) return;
  begin_executions();
  reach({.kind = OpKind::SignalMask, .value = static_cast<int64_t>(set)}, call);
}

bool is_other_mask(const sigset_t* mask) {
  return mask != nullptr && bits_of(*mask) != blocked_signals();
}

void name_other_mask(const sigset_t* mask, Call call) {
  if (is_other_mask(mask))
    name_unmodelled("a signal mask while polling what has no model (ignored)", call);
}

siginfo_t info_of(const PendingSignal& taken) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  info.si_signo = taken.signal;
  info.si_uid = getuid();
  info.si_pid = virtual_pid(world().thread(taken.sender).process);
  if ((taken.flags & kFromTimer) != 0) {
    info.si_code = SI_KERNEL;
    info.si_pid = 0;
  } else if ((taken.flags & kQueued) != 0) {
    info.si_code = SI_QUEUE;
    memcpy(&info.si_value, &taken.value, sizeof info.si_value);
  } else if (taken.signal == SIGCHLD && is_own_child(taken.sender)) {
    const int status = world().process(taken.sender).wait_status;
    info.si_code = WIFEXITED(status) ? CLD_EXITED : CLD_KILLED;
    info.si_status = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
  } else {
    info.si_code = taken.thread == kNoThread ? SI_USER : SI_TKILL;
  }
  return info;
}

void run_handler(int signal, Call call) {
  const ThreadState& me = world().thread(current_thread());
  if (world().process(current_process()).ended) {
    stop_here();
    vanish();
  }
  const struct sigaction action = actions[signal];
  siginfo_t info = info_of(me.taken);
  Context& self = context(current_thread());
  const void* const outer = self.handler_frame;
  self.handler_frame = __builtin_frame_address(0);
  if (outer > self.handler_frame) self.handler_frame = outer;
  uint64_t restores = me.restores;
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    call_with_context(action, signal, info, restores, call);
  } else {
    call_handler(action, signal, info, nullptr);
  }
  self.handler_frame = outer;
  block_signals(restores, call);
}

int set_signal_action(int signal, const struct sigaction* action, struct sigaction* old,
                      Call call) {
  if (signal < 1 || signal > kLastSignal || (action != nullptr && !may_be_set(signal)))
    return EINVAL;
  const struct sigaction present = present_action(signal);
  if (action != nullptr) {
    const struct sigaction wanted = *action;
    const bool stays_default = wanted.sa_handler == SIG_DFL && present.sa_handler == SIG_DFL;
    if (signal == SIGTRAP && traps_are_caught()) {
      set_trap_action(wanted);
    } else if (signal != SIGSYS && is_fault(signal) && set_real_action(signal, wanted) != 0) {
      return errno;
    }
    if (!stays_default) {
      begin_executions();
      reach({.kind = OpKind::SignalAction,
             .flags = flags_of(wanted),
             .value = signal,
             .desired = static_cast<int64_t>(bits_of(wanted.sa_mask))},
            call);
    }
    actions[signal] = wanted;
    if ((flags_of(wanted) & kHandles) != 0) watch_handlers();
  }
  if (old != nullptr) *old = present;
  return 0;
}

}  // namespace mazurka

using namespace mazurka;

namespace {

sighandler_t set_handler(int signal, sighandler_t handler, int flags, Call call) {
  struct sigaction action;
  struct sigaction old;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = flags;
  if ((flags & SA_NODEFER) == 0 && signal >= 1 && signal <= kLastSignal)
    sigaddset(&action.sa_mask, signal);
  const int error = set_signal_action(signal, &action, &old, call);
  if (error == 0) return old.sa_handler;
  errno = error;
  return SIG_ERR;
}

}  // namespace

MAZURKA_EXPORT int sigaction(int signal, const struct sigaction* __restrict action,
                             struct sigaction* __restrict old) noexcept {
  if (!attached()) return REAL(sigaction)(signal, action, old);
  const int error = set_signal_action(signal, action, old, MAZURKA_HERE);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

MAZURKA_EXPORT sighandler_t signal(int signal, sighandler_t handler) noexcept {
  if (!attached()) return REAL(signal)(signal, handler);
  return set_handler(signal, handler, SA_RESTART, MAZURKA_HERE);
}

MAZURKA_EXPORT sighandler_t bsd_signal(int signal, sighandler_t handler) noexcept
    __asm__("bsd_signal");
sighandler_t bsd_signal(int signal, sighandler_t handler) noexcept {
  if (!attached()) return REAL(signal)(signal, handler);
  return set_handler(signal, handler, SA_RESTART, MAZURKA_HERE);
}

MAZURKA_EXPORT sighandler_t __sysv_signal(int signal, sighandler_t handler) noexcept {
  if (!attached()) return REAL(__sysv_signal)(signal, handler);
  return set_handler(signal, handler, static_cast<int>(SA_RESETHAND) | SA_NODEFER, MAZURKA_HERE);
}

// Declared as deprecated, but programs call it.
MAZURKA_EXPORT int set_interrupting(int signal, int interrupts) __asm__("siginterrupt");
int set_interrupting(int signal, int interrupts) {
  if (!attached())
    return reinterpret_cast<decltype(&set_interrupting)>(real_function("siginterrupt"))(signal,
                                                                                        interrupts);
  const Call call = MAZURKA_HERE;
  struct sigaction action;
  int error = set_signal_action(signal, nullptr, &action, call);
  action.sa_flags = interrupts ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
  if (error == 0) error = set_signal_action(signal, &action, nullptr, call);
  if (error == 0) return 0;
  errno = error;
  return -1;
}
