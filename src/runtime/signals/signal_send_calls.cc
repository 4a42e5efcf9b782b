// Signals that the program sends: kill, raise and their like. One to a process outside the program
// is refused and named.
#include <pthread.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "runtime/core/failure.h"
#include "runtime/processes/process_groups.h"
#include "runtime/reset/server.h"
#include "runtime/signals/signal_actions.h"
#include "runtime/threads/threads.h"

namespace mazurka {
namespace {

bool is_valid(int signal) { return signal >= 0 && signal <= kLastSignal; }

bool is_own(ThreadId target, uint8_t flags) {
  return (flags & kToThread) != 0 ? target == current_thread() : target == current_process();
}

// Stopping has no model.
bool may_stop(ThreadId target, int signal, uint8_t flags) {
  if (signal == SIGSTOP) return true;
  if (signal != SIGTSTP && signal != SIGTTIN && signal != SIGTTOU) return false;
  if ((flags & kToAll) != 0) return true;
  return (signal_table(world(), world().thread(target).process).handled & signal_bit(signal)) == 0;
}

// A process that ends itself so: a crash. What other threads do before may change what becomes of
// the signal: the model says it then.
bool ends_oneself(ThreadId target, int signal, uint8_t flags) {
  if (has_unseen_threads(world(), current_thread())) return false;
  if (!is_own(target, flags) || signal == 0 || (blocked_signals() & signal_bit(signal)) != 0)
    return false;
  return disposition(signal) == Disposition::Default && ends_by_default(signal);
}

// A thread without a further operation stands at exit here at once; natively it may still run when
// the signal comes, and end its process.
void name_late_end(ThreadId target, int signal, uint8_t flags, Call call) {
  const bool is_to_ended = signal != 0 && (flags & kToThread) != 0 && (flags & kToAll) == 0 &&
                           world().thread(target).status == ThreadStatus::AtExit &&
                           !world().thread(target).joined;
  if (is_to_ended && disposition(signal) == Disposition::Default && ends_by_default(signal))
    name_unmodelled("a deadly signal to a thread that has no further operation (lost)", call);
}

}  // namespace

int send_signal(ThreadId target, int signal, uint8_t flags, sigval value, Call call) {
  if (may_stop(target, signal, flags))
    name_unmodelled("a signal that stops a process (ignored)", call);
  begin_executions();
  if ((flags & kToAll) == 0 && ends_oneself(target, signal, flags)) {
    reach({.kind = OpKind::Crash, .value = signal}, call);
    vanish();
  }
  Operation op{.kind = OpKind::SignalSend, .flags = flags, .target = target, .value = signal};
  op.desired = reinterpret_cast<int64_t>(value.sival_ptr);
  const int error = reach(op, call).error;
  name_late_end(target, signal, flags, call);
  return error;
}

namespace {

// What kill(2) answers, as an errno value. `pid` is that of a process.
int send_to_process(pid_t pid, int signal, uint8_t flags, sigval value, Call call) {
  if (!is_valid(signal)) return EINVAL;
  const ThreadId target = thread_of_virtual_pid(pid);
  if (target != kNoThread && world().process(target).exists)
    return send_signal(target, signal, flags, value, call);
  if (target != kNoThread)
    return send_signal(world().thread(target).process, signal, flags, value, call);
  if (signal == 0) return pid == kOutsidePid ? EPERM : ESRCH;
  name_unmodelled("a signal to a process outside the program (refused)", call);
  return EPERM;
}

int send_to_group(int signal, const char* unmodelled, Call call) {
  if (!is_valid(signal)) return EINVAL;
  if (unmodelled != nullptr) name_unmodelled(unmodelled, call);
  return send_signal(kNoThread, signal, kToAll, {}, call);
}

// Groups are numbers only: as long as nobody has changed his, all are in one.
int send_by_kill(pid_t pid, int signal, Call call) {
  if (pid > 0) return send_to_process(pid, signal, 0, {}, call);
  if (pid == -1) return send_to_group(signal, "kill(-1, ...) (sent to the caller, too)", call);
  const bool are_one = !any_group_was_changed();
  if (pid == 0 || -pid == own_group()) {
    return send_to_group(
        signal, are_one ? nullptr : "a signal to one of several process groups (sent to all)",
        call);
  }
  if (!are_one)
    name_unmodelled("a signal to another process group (sent to its leader alone)", call);
  return send_to_process(-pid, signal, 0, {}, call);
}

int send_to_thread(ThreadId target, int signal, sigval value, uint8_t flags, Call call) {
  if (!is_valid(signal)) return EINVAL;
  if (target == kNoThread) return ESRCH;
  return send_signal(target, signal, static_cast<uint8_t>(kToThread | flags), value, call);
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int kill(pid_t pid, int signal) {
  if (!attached()) return REAL(kill)(pid, signal);
  return fail_if(send_by_kill(pid, signal, MAZURKA_HERE));
}

MAZURKA_EXPORT int killpg(pid_t group, int signal) {
  if (!attached()) return REAL(killpg)(group, signal);
  if (group < 0) return fail_if(EINVAL);
  return fail_if(send_by_kill(-group, signal, MAZURKA_HERE));
}

MAZURKA_EXPORT int sigqueue(pid_t pid, int signal, const sigval value) {
  if (!attached()) return REAL(sigqueue)(pid, signal, value);
  return fail_if(pid <= 0 ? ESRCH : send_to_process(pid, signal, kQueued, value, MAZURKA_HERE));
}

MAZURKA_EXPORT int raise(int signal) {
  if (!attached()) return REAL(raise)(signal);
  if (signal == 0) return 0;
  return fail_if(send_to_thread(current_thread(), signal, {}, 0, MAZURKA_HERE));
}

// The C library's own would send the signal past all models. A handler that returns does not save
// the process.
MAZURKA_EXPORT void abort() {
  if (!attached()) {
    REAL(abort)();
    __builtin_unreachable();
  }
  const Call call = MAZURKA_HERE;
  block_signals(blocked_signals() & ~signal_bit(SIGABRT), call);
  send_signal(current_thread(), SIGABRT, kToThread, {}, call);
  reach({.kind = OpKind::Crash, .value = SIGABRT}, call);
  vanish();
}

MAZURKA_EXPORT int tgkill(pid_t process, pid_t thread, int signal) {
  if (!attached()) return REAL(tgkill)(process, thread, signal);
  const ThreadId target = thread_of_virtual_pid(thread);
  if (target == kNoThread || virtual_pid(world().thread(target).process) != process)
    return fail_if(ESRCH);
  return fail_if(send_to_thread(target, signal, {}, 0, MAZURKA_HERE));
}

MAZURKA_EXPORT int pthread_kill(pthread_t thread, int signal) {
  if (!attached()) return REAL(pthread_kill)(thread, signal);
  return send_to_thread(thread_of_handle(thread), signal, {}, 0, MAZURKA_HERE);
}

MAZURKA_EXPORT int pthread_sigqueue(pthread_t thread, int signal, const sigval value) {
  if (!attached()) return REAL(pthread_sigqueue)(thread, signal, value);
  return send_to_thread(thread_of_handle(thread), signal, value, kQueued, MAZURKA_HERE);
}
