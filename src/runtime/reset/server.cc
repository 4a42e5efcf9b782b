#include "runtime/reset/server.h"

#include <fcntl.h>
#include <linux/prctl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "protocol/batch.h"
#include "protocol/names.h"
#include "runtime/accesses/seen_memory.h"
#include "runtime/accesses/visible_accesses.h"
#include "runtime/core/baton.h"
#include "runtime/core/crash.h"
#include "runtime/core/raw.h"
#include "runtime/core/reach.h"
#include "runtime/core/state.h"
#include "runtime/heap/allocator.h"
#include "runtime/heap/reuse.h"
#include "runtime/patches/access_watch.h"
#include "runtime/patches/patches.h"
#include "runtime/patches/unseen_stores.h"
#include "runtime/reset/beginning.h"
#include "runtime/reset/in_place.h"
#include "runtime/reset/module_ends.h"
#include "runtime/syscalls/watched_calls.h"
#include "runtime/threads/fiber.h"

namespace mazurka {
namespace {

// Descriptors of the server lie above those that a program usually has, so that its own numbers
// stay small.
constexpr int kFirstServerFd = 400;
// Shells that are there before the first execution; later ones are made as threads become known.
constexpr uint32_t kFirstShells = 4;

void make_shared_memories() {
  for (SharedMemory& memory : segment().shared_memories) {
    const long fd = raw_syscall(SYS_memfd_create, address_of("mazurka"), MFD_CLOEXEC);
    memory.server_fd = -1;
    if (raw_failed(fd)) continue;
    const long high = raw_syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, kFirstServerFd);
    raw_syscall(SYS_close, fd);
    if (!raw_failed(high)) memory.server_fd = static_cast<int32_t>(high);
  }
}

}  // namespace

// Threads that earlier executions had: their stacks and TLS blocks are made once, here, and not in
// each execution.
void make_known_shells() {
  if (state.carrier != Carrier::Fibers) return;
  Segment& s = segment();
  for (uint32_t i = 1; i < s.names.thread_count; ++i) {
    if (i <= kFirstShells || s.places[i].start_routine != 0) make_shell(ThreadId(i), nullptr);
  }
}

namespace {

void redirect(int fd, const char* path, int flags) {
  const long opened = raw_syscall(SYS_openat, AT_FDCWD, address_of(path), flags);
  if (raw_failed(opened) || opened == fd) return;
  raw_syscall(SYS_dup3, opened, fd, 0);
  raw_syscall(SYS_close, opened);
}

// Ours, so that stdio does not allocate one on whatever heap is current. Once for all executions:
// each would have to find libc's function.
void buffer_output(int mode) {
  static char buffer[BUFSIZ];
  setvbuf(stdout, buffer, mode, sizeof buffer);
}

}  // namespace

// Every execution reads the same input, and is quiet unless somebody wants to hear it.
void redirect_standard_streams() {
  Segment& s = segment();
  const char* input = s.control.stdin_text != 0 ? s.kept_text + s.control.stdin_text : "/dev/null";
  redirect(STDIN_FILENO, input, O_RDONLY);
  const bool show = s.plan.show_output && s.control.output_text != 0;
  const char* output = show ? s.kept_text + s.control.output_text : "/dev/null";
  redirect(STDOUT_FILENO, output, O_WRONLY | O_APPEND);
  redirect(STDERR_FILENO, output, O_WRONLY | O_APPEND);
  if (show) buffer_output(_IOLBF);
}

namespace {

void begin_execution(int server_pid) {
  raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  if (raw_syscall(SYS_getppid) != server_pid) raw_exit_group(1);
  segment().processes[0].real_pid = static_cast<int32_t>(raw_syscall(SYS_getpid));
  redirect_standard_streams();
  begin_seeing();
  state.scheduling = true;
  watch_calls();
}

ProcessId process_with_pid(long pid) {
  for (uint32_t i = 0; i < kMaxThreads && i < world().thread_limit; ++i) {
    if (segment().processes[i].real_pid == pid) return ProcessId(i);
  }
  return kNoProcess;
}

// Processes that nobody told us of (a raw fork): whoever is still our child.
void kill_strays() {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%ld/children", raw_syscall(SYS_gettid));
  const long fd = raw_syscall(SYS_openat, AT_FDCWD, address_of(path), O_RDONLY | O_CLOEXEC);
  if (raw_failed(fd)) return;
  char text[4096];
  const long length = raw_syscall(SYS_read, fd, address_of(text), sizeof text - 1);
  raw_syscall(SYS_close, fd);
  long pid = 0;
  for (long i = 0; i < length; ++i) {
    if (text[i] >= '0' && text[i] <= '9') {
      pid = pid * 10 + (text[i] - '0');
    } else if (pid != 0) {
      raw_syscall(SYS_kill, pid, SIGKILL);
      pid = 0;
    }
  }
}

void end_all_processes() {
  int known = 0;
  for (uint32_t i = 0; i < world().thread_limit && i < kMaxThreads; ++i) {
    const ProcessSlot& slot = segment().processes[i];
    if (!slot.alive || slot.real_pid <= 0) continue;
    raw_syscall(SYS_kill, slot.real_pid, SIGKILL);
    ++known;
  }
  for (; known > 0; --known) raw_syscall(SYS_wait4, -1, 0, 0);
  for (;;) {
    const long pid = raw_syscall(SYS_wait4, -1, 0, WNOHANG);
    if (pid == -ECHILD) return;
    if (pid > 0) continue;
    kill_strays();
    raw_syscall(SYS_wait4, -1, 0, 0);
  }
}

// Until the execution says that it has ended, or a process dies without passing the baton on.
void await_end_of_execution() {
  int status = 0;
  while (segment().log.ending == Ending::None) {
    const long pid = raw_syscall(SYS_wait4, -1, address_of(&status), 0);
    if (pid == -EINTR) continue;
    if (raw_failed(pid)) break;
    const ProcessId process = process_with_pid(pid);
    if (process == kNoProcess) continue;
    process_slot(process).alive = 0;
    if (segment().log.ending != Ending::None || segment().control.baton_holder != process) continue;
    segment().control.lost = 1;
    segment().control.lost_status = status;
    break;
  }
  end_all_processes();
}

void tell(uint32_t& word, uint32_t value) {
  __atomic_store_n(&word, value, __ATOMIC_RELEASE);
  raw_futex_wake(word);
}

Command await_command() {
  uint32_t& word = segment().control.command;
  for (;;) {
    const uint32_t command = __atomic_load_n(&word, __ATOMIC_ACQUIRE);
    if (command != static_cast<uint32_t>(Command::None)) {
      __atomic_store_n(&word, static_cast<uint32_t>(Command::None), __ATOMIC_RELAXED);
      return static_cast<Command>(command);
    }
    raw_futex_wait(word, 0);
  }
}

}  // namespace

void announce_server() {
  segment().control.server_pid = static_cast<int>(raw_syscall(SYS_getpid));
  tell(segment().control.ready, 1);
}

void await_run_command() {
  if (await_command() != Command::Run) raw_exit_group(0);
}

void begin_in_this_process(bool in_first_state) {
  clear_last_execution();
  restore_beginning();
  begin_seen_execution();
  begin_watched_execution();
  if (in_first_state) {
    restore_seen_memory();
  } else {
    begin_seeing();
  }
  segment().processes[0].real_pid = segment().control.server_pid;
  if (input_was_read()) raw_syscall(SYS_lseek, STDIN_FILENO, 0, SEEK_SET);
  state.scheduling = true;
}

void announce_end() { tell(segment().control.done, segment().control.done + 1); }

void say_need_fork(const char* why) {
  segment().log.text = add_text(why);
  segment().log.ending = Ending::NeedsFork;
}

namespace {

void serve() {
  raw_syscall(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1);
  share_found_functions();
  make_shared_memories();
  announce_server();
  const int server_pid = segment().control.server_pid;
  for (;;) {
    await_run_command();
    while (begin_next_plan(segment())) {
      make_known_shells();
      clear_last_execution();
      restore_beginning();
      begin_seen_execution();
      begin_watched_execution();
      // libc's own fork would declare the stacks of the other threads free.
      const long pid = raw_syscall(SYS_fork);
      if (pid == 0) return begin_execution(server_pid);
      if (raw_failed(pid)) {
        segment().log.text = add_text("fork failed: no execution can begin");
        segment().log.ending = Ending::RuntimeError;
      } else {
        segment().processes[0].real_pid = static_cast<int32_t>(pid);
        await_end_of_execution();
      }
      keep_log(segment());
    }
    announce_end();
  }
}

}  // namespace

void begin_executions() {
  if (state.scheduling) return;
  Segment& s = segment();
  for (uint32_t i = 1; i <= kFirstShells; ++i) intern_thread(s.names, kMainThread, i);
  make_known_shells();
  catch_crashes();
  look_at_modules();
  patch_modules();
  allocator_begin_executions();
  begin_reuse();
  list_what_is_there();
  save_beginning();
  if (s.control.direct) {
    begin_next_plan(s);
    clear_last_execution();
    if (s.control.stdin_text != 0)
      redirect(STDIN_FILENO, s.kept_text + s.control.stdin_text, O_RDONLY);
    begin_seen_execution();
    begin_seeing();
    state.scheduling = true;
    segment().processes[0].real_pid = static_cast<int32_t>(raw_syscall(SYS_getpid));
    watch_calls();
    return;
  }
  buffer_output(_IOFBF);
  const bool in_place =
      static_cast<Reset>(s.control.reset) == Reset::InPlace && state.carrier == Carrier::Fibers;
  if (!in_place || !serve_in_place()) serve();
}

void vanish() {
  if (watched_word_count != 0) name_unseen_stores({});
  const ThreadId next = goes_on_after(state.current);
  const int status = world().process(state.process).wait_status;
  // The kernel would close them some time after the others go on: a reader must see the end of its
  // pipe every time.
  raw_syscall(SYS_close_range, 0, ~0u, 0);
  give_away(next);
  raw_exit_group(status >> 8);
}

}  // namespace mazurka
