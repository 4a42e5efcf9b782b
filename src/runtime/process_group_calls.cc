// What a program knows processes by, and the signals that it sends to them. Pids are virtual: a
// thread's tid derives from its slot, a process's pid is the tid of its first thread.
//
// There is no model of signals yet: one sent to oneself is really delivered, any other to a process
// of the program is named and not delivered, one to a process outside the program is refused and
// named. Groups and sessions are numbers only.
#include <pthread.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/raw.h"
#include "runtime/runtime.h"
#include "runtime/server.h"

namespace mazurka {
namespace {

constexpr int kLastSignal = 64;

// The parent of the first process: what a program sees that a shell has started.
constexpr pid_t kOutside = 2;

// Of this process; 0 until it says otherwise: the group and session of the first process. Copied by
// fork as it should be.
pid_t own_group = 0;
pid_t own_session = 0;

int fail(int error) {
  errno = error;
  return -1;
}

pid_t own_pid() { return virtual_pid(current_process()); }
pid_t first_pid() { return virtual_pid(kMainThread); }
pid_t group() { return own_group != 0 ? own_group : first_pid(); }
pid_t session() { return own_session != 0 ? own_session : first_pid(); }

// kNoProcess: not one of ours, or gone for good.
ProcessId process_of(pid_t pid) {
  const ThreadId thread = pid > 0 ? thread_of_virtual_pid(pid) : kNoThread;
  if (thread == kNoThread) return kNoProcess;
  const ProcessState& process = world().process(thread);
  return process.exists && !process.reaped ? thread : kNoProcess;
}

// Whether the kernel would end the process.
bool ends_process(int signal) {
  if (signal == SIGKILL) return true;
  struct sigaction action;
  sigset_t blocked;
  if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) return false;
  sigprocmask(SIG_BLOCK, nullptr, &blocked);
  if (sigismember(&blocked, signal) == 1) return false;
  switch (signal) {
    case SIGCHLD:
    case SIGCONT:
    case SIGURG:
    case SIGWINCH:
    case SIGSTOP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
      return false;
    default:
      return true;
  }
}

bool stops_process(int signal) {
  struct sigaction action;
  if (signal == SIGSTOP) return true;
  if (signal != SIGTSTP && signal != SIGTTIN && signal != SIGTTOU) return false;
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_DFL;
}

// To the kernel thread that runs us, so that its handler has run when the call returns. The sender
// is named by its virtual pid.
int deliver_to_self(int signal, int code, sigval value, Call call) {
  if (signal < 0 || signal > kLastSignal) return EINVAL;
  if (signal == 0) return 0;
  if (stops_process(signal)) {  // nobody could ever wake it
    name_unmodelled("a stop signal to oneself (ignored)", call);
    return 0;
  }
  if (ends_process(signal)) {
    reach({.kind = OpKind::Crash, .value = signal}, call);
    vanish();
  }
  siginfo_t info;
  memset(&info, 0, sizeof info);
  info.si_signo = signal;
  info.si_code = code;
  info.si_pid = own_pid();
  info.si_uid = getuid();
  info.si_value = value;
  const long pid = raw_syscall(SYS_getpid);
  const long tid = raw_syscall(SYS_gettid);
  const long result = raw_syscall(SYS_rt_tgsigqueueinfo, pid, tid, signal, address_of(&info));
  return raw_failed(result) ? static_cast<int>(-result) : 0;
}

// What kill(2) answers, as an errno value.
int send(pid_t pid, int signal, int code, sigval value, const char* name, Call call) {
  if (signal < 0 || signal > kLastSignal) return EINVAL;
  const ProcessId target = process_of(pid);
  if (target == current_process()) return deliver_to_self(signal, code, value, call);
  if (target != kNoProcess) {
    if (signal != 0) name_unmodelled(name, call);
    return 0;
  }
  if (pid > 0 && thread_of_virtual_pid(pid) != kNoThread) return ESRCH;
  if (signal == 0) return pid == kOutside ? EPERM : ESRCH;
  name_unmodelled("a signal to a process outside the program (refused)", call);
  return EPERM;
}

// To all members of a group, or to everybody: only the caller's own copy is delivered.
int send_to_group(int signal, Call call) {
  if (signal < 0 || signal > kLastSignal) return EINVAL;
  if (signal == 0) return 0;
  name_unmodelled("a signal to a process group (delivered to the caller alone)", call);
  return deliver_to_self(signal, SI_USER, {}, call);
}

int answer(int error) { return error == 0 ? 0 : fail(error); }

// The handle of one of the threads of this process.
bool is_self(pthread_t thread) { return pthread_equal(thread, pthread_self()) != 0; }

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT pid_t getpid() {
  if (!attached()) return REAL(getpid)();
  return own_pid();
}

// The parent's, even after its end: a program that is given another parent could be so at any time,
// and POSIX does not say which.
MAZURKA_EXPORT pid_t getppid() {
  if (!attached()) return REAL(getppid)();
  const ProcessId parent = world().process(current_process()).parent;
  return parent == kNoProcess ? kOutside : virtual_pid(parent);
}

MAZURKA_EXPORT pid_t gettid() {
  if (!attached()) return REAL(gettid)();
  return virtual_pid(current_thread());
}

MAZURKA_EXPORT pid_t getpgrp() {
  if (!attached()) return REAL(getpgrp)();
  return group();
}

MAZURKA_EXPORT pid_t getpgid(pid_t pid) {
  if (!attached()) return REAL(getpgid)(pid);
  if (pid == 0 || pid == own_pid()) return group();
  if (process_of(pid) == kNoProcess) return fail(ESRCH);
  name_unmodelled("getpgid of another process", MAZURKA_HERE);
  return first_pid();
}

MAZURKA_EXPORT int setpgid(pid_t pid, pid_t to) {
  if (!attached()) return REAL(setpgid)(pid, to);
  if (to < 0) return fail(EINVAL);
  if (pid == 0 || pid == own_pid()) {
    if (own_session == own_pid()) return fail(EPERM);
    own_group = to == 0 ? own_pid() : to;
    return 0;
  }
  const ProcessId process = process_of(pid);
  if (process == kNoProcess || world().process(process).parent != current_process())
    return fail(ESRCH);
  return 0;  // the child says the same itself, as programs must to be safe
}

MAZURKA_EXPORT int setpgrp() {
  if (!attached()) return REAL(setpgrp)();
  return setpgid(0, 0);
}

MAZURKA_EXPORT pid_t getsid(pid_t pid) {
  if (!attached()) return REAL(getsid)(pid);
  if (pid == 0 || pid == own_pid()) return session();
  return process_of(pid) == kNoProcess ? fail(ESRCH) : first_pid();
}

MAZURKA_EXPORT pid_t setsid() {
  if (!attached()) return REAL(setsid)();
  if (group() == own_pid()) return fail(EPERM);
  own_group = own_session = own_pid();
  return own_pid();
}

MAZURKA_EXPORT int kill(pid_t pid, int signal) {
  if (!attached()) return REAL(kill)(pid, signal);
  const Call call = MAZURKA_HERE;
  if (pid == 0 || pid == -1 || (pid < 0 && -pid == group()))
    return answer(send_to_group(signal, call));
  if (pid > 0)
    return answer(send(pid, signal, SI_USER, {}, "kill of another process (not delivered)", call));
  return answer(
      send(-pid, signal, SI_USER, {}, "kill of another process group (not delivered)", call));
}

MAZURKA_EXPORT int killpg(pid_t group_id, int signal) {
  if (!attached()) return REAL(killpg)(group_id, signal);
  const Call call = MAZURKA_HERE;
  if (group_id < 0) return fail(EINVAL);
  if (group_id == 0 || group_id == group()) return answer(send_to_group(signal, call));
  return answer(
      send(group_id, signal, SI_USER, {}, "kill of another process group (not delivered)", call));
}

MAZURKA_EXPORT int sigqueue(pid_t pid, int signal, const sigval value) {
  if (!attached()) return REAL(sigqueue)(pid, signal, value);
  return answer(send(pid, signal, SI_QUEUE, value, "sigqueue to another process (not delivered)",
                     MAZURKA_HERE));
}

MAZURKA_EXPORT int raise(int signal) {
  if (!attached()) return REAL(raise)(signal);
  return answer(deliver_to_self(signal, SI_TKILL, {}, MAZURKA_HERE));
}

MAZURKA_EXPORT int tgkill(pid_t process, pid_t thread, int signal) {
  if (!attached()) return REAL(tgkill)(process, thread, signal);
  const Call call = MAZURKA_HERE;
  if (process == own_pid() && thread == virtual_pid(current_thread())) {
    return answer(deliver_to_self(signal, SI_TKILL, {}, call));
  }
  const ThreadId target = thread_of_virtual_pid(thread);
  if (target == kNoThread || virtual_pid(world().thread(target).process) != process)
    return fail(ESRCH);
  if (signal != 0) name_unmodelled("tgkill of another thread (not delivered)", call);
  return 0;
}

MAZURKA_EXPORT int pthread_kill(pthread_t thread, int signal) {
  if (!attached()) return REAL(pthread_kill)(thread, signal);
  const Call call = MAZURKA_HERE;
  if (is_self(thread)) return deliver_to_self(signal, SI_TKILL, {}, call);
  if (signal < 0 || signal > kLastSignal) return EINVAL;
  if (signal != 0) name_unmodelled("pthread_kill of another thread (not delivered)", call);
  return 0;
}
