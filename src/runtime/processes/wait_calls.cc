// wait, waitpid, wait3, wait4, waitid: each becomes OpKind::WaitChild. The real children are the
// fork server's; it reaps them. Pids are virtual, in and out.
//
// Not modelled: stopped and continued children (WUNTRACED, WCONTINUED ask for what never happens
// here), and process groups (a wait for a group waits for any child).
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/core/runtime.h"
#include "runtime/signals/signal_actions.h"

namespace mazurka {
namespace {

// One child that ended. `pid` 0: WNOHANG, and none has. On failure -1 with errno set.
struct Ended {
  pid_t pid = 0;
  int status = 0;
};

Ended fail(int error) {
  errno = error;
  return {.pid = -1};
}

// `pid` as waitpid takes it.
Ended wait_for(pid_t pid, bool no_hang, Call call) {
  Operation op{.kind = OpKind::WaitChild};
  if (no_hang) op.flags = kTry;
  if (pid > 0) {
    op.target = thread_of_virtual_pid(pid);
    if (op.target == kNoThread) return fail(ECHILD);
  } else if (pid < -1) {
    name_unmodelled("wait for a process group (waits for any child)", call);
  }
  if (waits_for_no_child())
    name_unmodelled("a wait for children where SIGCHLD is ignored (they are still there)", call);
  const Effect effect = reach(op, call);
  if (effect.error != 0) return fail(effect.error);
  if (effect.thread == kNoThread) return {};
  return {.pid = virtual_pid(effect.thread), .status = static_cast<int>(effect.value)};
}

pid_t wait_as_wait4(pid_t pid, int* status, int options, rusage* usage, Call call) {
  constexpr int kKnown =
      WNOHANG | WUNTRACED | WCONTINUED | __WNOTHREAD | __WALL | static_cast<int>(__WCLONE);
  if ((options & ~kKnown) != 0) return fail(EINVAL).pid;
  const Ended ended = wait_for(pid, (options & WNOHANG) != 0, call);
  if (ended.pid <= 0) return ended.pid;
  if (status != nullptr) *status = ended.status;
  if (usage != nullptr) memset(usage, 0, sizeof *usage);
  return ended.pid;
}

void describe(const Ended& ended, siginfo_t& info) {
  info.si_signo = SIGCHLD;
  info.si_pid = ended.pid;
  info.si_uid = getuid();
  if (WIFEXITED(ended.status)) {
    info.si_code = CLD_EXITED;
    info.si_status = WEXITSTATUS(ended.status);
  } else {
    info.si_code = WCOREDUMP(ended.status) ? CLD_DUMPED : CLD_KILLED;
    info.si_status = WTERMSIG(ended.status);
  }
}

// The pid of waitpid that says the same; 0 if there is none (0 itself never results).
pid_t pid_of(idtype_t type, id_t id) {
  switch (type) {
    case P_ALL:
      return -1;
    case P_PID:
      return static_cast<pid_t>(id) > 0 ? static_cast<pid_t>(id) : 0;
    case P_PGID:
      return id > 1 ? -static_cast<pid_t>(id) : -2;
    default:
      return 0;
  }
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT pid_t wait(int* status) {
  if (!attached()) return REAL(wait)(status);
  return wait_as_wait4(-1, status, 0, nullptr, MAZURKA_HERE);
}

MAZURKA_EXPORT pid_t waitpid(pid_t pid, int* status, int options) {
  if (!attached()) return REAL(waitpid)(pid, status, options);
  return wait_as_wait4(pid, status, options, nullptr, MAZURKA_HERE);
}

MAZURKA_EXPORT pid_t wait3(int* status, int options, rusage* usage) {
  if (!attached()) return REAL(wait3)(status, options, usage);
  return wait_as_wait4(-1, status, options, usage, MAZURKA_HERE);
}

MAZURKA_EXPORT pid_t wait4(pid_t pid, int* status, int options, rusage* usage) {
  if (!attached()) return REAL(wait4)(pid, status, options, usage);
  return wait_as_wait4(pid, status, options, usage, MAZURKA_HERE);
}

MAZURKA_EXPORT int waitid(idtype_t type, id_t id, siginfo_t* info, int options) {
  if (!attached()) return REAL(waitid)(type, id, info, options);
  const Call call = MAZURKA_HERE;
  constexpr int kStates = WEXITED | WSTOPPED | WCONTINUED;
  constexpr int kKnown =
      kStates | WNOHANG | WNOWAIT | __WNOTHREAD | __WALL | static_cast<int>(__WCLONE);
  const pid_t pid = pid_of(type, id);
  if (type == P_PIDFD) name_unmodelled("waitid with a pidfd", call);
  if (pid == 0 || (options & ~kKnown) != 0 || (options & kStates) == 0) return fail(EINVAL).pid;
  if ((options & WEXITED) == 0) name_unmodelled("waitid without WEXITED (waits for the end)", call);
  if ((options & WNOWAIT) != 0) name_unmodelled("waitid with WNOWAIT (takes the child away)", call);
  const Ended ended = wait_for(pid, (options & WNOHANG) != 0, call);
  if (ended.pid < 0) return -1;
  if (info == nullptr) return 0;
  memset(info, 0, sizeof *info);
  if (ended.pid > 0) describe(ended, *info);
  return 0;
}
