// What a program knows processes by. Pids are virtual: a thread's tid derives from its slot, a
// process's pid is the tid of its first thread. Groups and sessions are numbers only.
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/core/failure.h"
#include "runtime/core/state.h"
#include "runtime/processes/process_groups.h"

namespace mazurka {
namespace {

// Of this process; 0 until it says otherwise: the group and session of the first process. Copied by
// fork as it should be.
pid_t chosen_group = 0;
pid_t chosen_session = 0;

pid_t own_pid() { return virtual_pid(current_process()); }
pid_t first_pid() { return virtual_pid(kMainThread); }
pid_t group() { return chosen_group != 0 ? chosen_group : first_pid(); }
pid_t session() { return chosen_session != 0 ? chosen_session : first_pid(); }

// kNoProcess: not one of ours, or gone for good.
ProcessId process_of(pid_t pid) {
  const ThreadId thread = pid > 0 ? thread_of_virtual_pid(pid) : kNoThread;
  if (thread == kNoThread) return kNoProcess;
  const ProcessState& process = world().process(thread);
  return process.exists && !process.reaped ? thread : kNoProcess;
}

void change_group(pid_t to) {
  if (to != group()) process_slot(current_process()).left_group = 1;
  chosen_group = to;
}

}  // namespace

pid_t own_group() { return group(); }

bool any_group_was_changed() {
  for (uint32_t i = 0; i < world().thread_limit; ++i) {
    if (segment().processes[i].left_group != 0) return true;
  }
  return false;
}

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
  return parent == kNoProcess ? kOutsidePid : virtual_pid(parent);
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
    if (chosen_session == own_pid()) return fail(EPERM);
    change_group(to == 0 ? own_pid() : to);
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
  if (process_of(pid) == kNoProcess) return fail(ESRCH);
  name_unmodelled("getsid of another process", MAZURKA_HERE);
  return first_pid();
}

MAZURKA_EXPORT pid_t setsid() {
  if (!attached()) return REAL(setsid)();
  if (group() == own_pid()) return fail(EPERM);
  chosen_session = own_pid();
  change_group(own_pid());
  return own_pid();
}
