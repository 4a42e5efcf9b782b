// fork, and the ends of processes.
#include "runtime/processes/process.h"

#include <linux/prctl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runtime/accesses/race_shadow.h"
#include "runtime/accesses/visible_accesses.h"
#include "runtime/channels/descriptors.h"
#include "runtime/core/baton.h"
#include "runtime/core/raw.h"
#include "runtime/core/reach.h"
#include "runtime/core/state.h"
#include "runtime/core/tags.h"
#include "runtime/heap/allocator.h"
#include "runtime/patches/access_watch.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/reset/server.h"
#include "runtime/signals/signal_actions.h"
#include "runtime/syscalls/watched_calls.h"
#include "runtime/threads/threads.h"

namespace mazurka {
namespace {

// pthread_atfork. We fork past libc, so its own list would not run.
struct ForkHandler {
  void (*prepare)();
  void (*parent)();
  void (*child)();
};
constexpr uint32_t kMaxForkHandlers = 256;
ForkHandler fork_handlers[kMaxForkHandlers];
uint32_t fork_handler_count;

void call(void (*handler)()) {
  if (handler != nullptr) handler();
}

constexpr int kSlotPidBase = 1000;

// Far more than a system that can be explored has; one that forks without end must not take the
// machine along.
constexpr uint32_t kMaxProcesses = 256;

void check_number_of_processes() {
  uint32_t alive = 0;
  for (uint32_t i = 0; i < world().thread_limit; ++i) alive += segment().processes[i].alive;
  if (alive >= kMaxProcesses)
    runtime_error("the program has 256 processes at once: does it fork without end?");
}

void begin_child(ProcessId parent, ThreadId forking, ThreadId child) {
  raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  // A server that was killed before that call cannot take us along.
  const Control& control = segment().control;
  if (!control.direct && raw_syscall(SYS_getppid) != control.server_pid) raw_exit_group(1);
  state.process = child;
  context(child) = context(forking);
  context(child).trail.count = 0;  // what it visited lies with the parent's
  process_slot(child).execs = process_slot(parent).execs;
  begin_shadow_of_child();
  await_first_baton();
  watch_calls_again();
  copy_objects_for_fork(parent, forking, child);
}

}  // namespace

int virtual_pid(ThreadId id) { return id == kNoThread ? 1 : kSlotPidBase + slot_of(id); }

ThreadId thread_of_virtual_pid(int pid) {
  for (uint32_t i = 0; i < world().thread_limit; ++i) {
    if (world().threads[i].status != ThreadStatus::Absent && virtual_pid(ThreadId(i)) == pid)
      return ThreadId(i);
  }
  return kNoThread;
}

ProcessId fork_process(int& error, Call where) {
  begin_executions();
  need_fork("fork");
  if (has_unseen_threads(world(), state.current)) reach({.kind = OpKind::Fork}, where);
  const ThreadId me = state.current;
  const ProcessId here = state.process;
  for (uint32_t i = fork_handler_count; i > 0; --i) call(fork_handlers[i - 1].prepare);
  check_number_of_processes();
  const ThreadId child = next_child();
  // Every process is a child of the server, which sees all of them end; what the program calls
  // parent and child is ours.
  const long flags = SIGCHLD | (segment().control.direct ? 0 : 0x8000 /* CLONE_PARENT */);
  settle_store();
  const long pid = raw_syscall(SYS_clone, flags);
  if (pid == 0) {
    begin_child(here, me, child);
    for (uint32_t i = 0; i < fork_handler_count; ++i) call(fork_handlers[i].child);
    return kNoThread;
  }
  // The machine's trouble, and the program must not be blamed for what it does about it.
  if (pid == -EAGAIN || pid == -ENOMEM)
    runtime_error("the system has no process or no memory left for a process of the program");
  error = raw_failed(pid) ? static_cast<int>(-pid) : 0;
  if (error == 0) {
    world().create_thread(child, me, child);
    arm_watches_later();
    copy_descriptors_for_fork(here, child);
    process_slot(child).real_pid = static_cast<int32_t>(pid);
    process_slot(child).alive = 1;
    process_slot(child).attached = 1;
    process_slot(child).directory = process_slot(here).directory;
    place(child).starting = 0;
    place(child).pc = place(me).pc;
    run_until_first_operation(me, child);
  }
  for (uint32_t i = 0; i < fork_handler_count; ++i) call(fork_handlers[i].parent);
  return child;
}

// What was written past the ends of a block that nobody freed, or to one that nobody used again,
// shows now or never.
static void check_heaps() {
  for (uint32_t i = 0; i < world().thread_limit; ++i) allocator_check(slot_of(ThreadId(i)));
}

void end_process(int wait_status, Call where) {
  begin_executions();
  check_heaps();
  const ThreadId me = state.current;
  if (process_end_is_noticed(world(), me)) {
    reach({.kind = OpKind::ProcessEnd, .value = wait_status}, where);
  } else {
    stand_at_exit(world(), me, wait_status);
  }
  vanish();
}

void prepare_exec() {
  ++process_slot(state.process).execs;
  process_slot(state.process).attached = 0;
}

void exec_failed() {
  --process_slot(state.process).execs;
  process_slot(state.process).attached = 1;
}

}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT pid_t fork() {
  if (!attached()) {
    allocator_before_fork();
    const pid_t pid = REAL(fork)();
    allocator_after_fork();
    return pid;
  }
  int error = 0;
  const ProcessId child = fork_process(error, MAZURKA_HERE);
  if (error != 0) {
    errno = error;
    return -1;
  }
  return child == kNoThread ? 0 : virtual_pid(child);
}

extern "C" int __register_atfork(void (*)(), void (*)(), void (*)(), void*);

MAZURKA_EXPORT int __register_atfork(void (*prepare)(), void (*parent)(), void (*child)(),
                                     void* module) {
  if (!attached()) return REAL(__register_atfork)(prepare, parent, child, module);
  if (fork_handler_count >= kMaxForkHandlers) return ENOMEM;
  fork_handlers[fork_handler_count++] = {prepare, parent, child};
  return 0;
}

MAZURKA_EXPORT void _exit(int status) {
  if (!attached()) raw_exit_group(status);
  stand_where_signals_come(MAZURKA_HERE);
  end_process((status & 0xff) << 8, MAZURKA_HERE);
}

MAZURKA_EXPORT void _Exit(int status) {
  if (!attached()) raw_exit_group(status);
  stand_where_signals_come(MAZURKA_HERE);
  end_process((status & 0xff) << 8, MAZURKA_HERE);
}

MAZURKA_EXPORT void exit(int status) {
  if (attached()) {
    stand_where_signals_come(MAZURKA_HERE);
    context(state.current).exit_status = status;
    run_thread_local_destructors();
  }
  REAL(exit)(status);
  __builtin_unreachable();
}
