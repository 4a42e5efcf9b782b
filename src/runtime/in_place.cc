#include "runtime/in_place.h"

#include <linux/prctl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cstring>

#include "protocol/batch.h"
#include "runtime/allocator.h"
#include "runtime/fiber.h"
#include "runtime/kernel_effects.h"
#include "runtime/memory_image.h"
#include "runtime/scheduler.h"
#include "runtime/server.h"
#include "runtime/signal_handler.h"
#include "runtime/state.h"

namespace mazurka {
namespace {

#ifndef PR_SET_SYSCALL_USER_DISPATCH
constexpr int PR_SET_SYSCALL_USER_DISPATCH = 59;
#endif
constexpr size_t kServerStack = size_t{1} << 18;

// In shared memory: survives the reset, and is no part of it.
struct Bench {
  void* server_stack_pointer;
  volatile char selector;  // Syscall User Dispatch: 1 stops system calls that our own code does not make
  bool in_execution;
  bool input_read;
  bool mask_may_differ;  // the program has changed which signals are blocked
  char stack[kServerStack];
};
Bench* bench;

// The kernel tells of a system call that nobody intercepted.
void on_system_call(int, siginfo_t* info, void* context_pointer) {
  auto& registers = static_cast<ucontext_t*>(context_pointer)->uc_mcontext.gregs;
  const long number = info->si_syscall;
  const bool asks_for_terminal = number == SYS_ioctl && registers[REG_RSI] == TCGETS;  // isatty
  if (!asks_for_terminal) need_fork_for(number, registers[REG_RDI]);
  if (number == SYS_rt_sigprocmask) bench->mask_may_differ = true;
  registers[REG_RAX] = raw_syscall(number, registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                                   registers[REG_R10], registers[REG_R8], registers[REG_R9]);
}

// Our own code may make any call it likes.
bool watch_system_calls() {
  uintptr_t start = 0;
  size_t length = 0;
  if (!own_code(start, length)) return false;
  install_handler(SIGSYS, on_system_call);
  return raw_syscall(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, 1, static_cast<long>(start), static_cast<long>(length),
                     address_of(const_cast<char*>(&bench->selector))) == 0;
}

void prepare_threads() {
  make_known_shells();
  for (uint32_t i = 0; i < segment().names.thread_count; ++i) {
    if (i == 0 || context(ThreadId(i)).has_shell) allocator_prepare(slot_of(ThreadId(i)));
  }
}

bool knows_all_threads() {
  const Segment& s = segment();
  for (uint32_t i = 1; i < s.names.thread_count; ++i) {
    if (s.places[i].start_routine != 0 && !context(ThreadId(i)).has_shell) return false;
  }
  return true;
}

void run_one_execution() {
  begin_in_this_process();
  bench->in_execution = true;
  bench->selector = 1;
  switch_stacks(&bench->server_stack_pointer, context(kMainThread));
  bench->selector = 0;
  bench->in_execution = false;
  if (bench->mask_may_differ) {
    const uint64_t nothing_blocked = 0;
    raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, address_of(&nothing_blocked), 0, sizeof nothing_blocked);
    bench->mask_may_differ = false;
  }
}

// Runs on the server's own stack.
[[noreturn]] void in_place_server() {
  bool good = take_image();
  segment().control.in_place = good;
  if (!good) {  // back to where we came from: the fork server takes over
    switch_stacks(&bench->server_stack_pointer, context(kMainThread));
    __builtin_unreachable();
  }
  announce_server();
  for (;;) {
    await_run_command();
    while (begin_next_plan(segment())) {
      if (!knows_all_threads()) {
        prepare_threads();
        good = take_image();
      }
      if (good) {
        run_one_execution();
        good = restore_image();
      }
      if (!good) say_need_fork("memory that is too much to copy");
      keep_log(segment());
    }
    announce_end();
  }
}

}  // namespace

bool runs_in_place() { return bench != nullptr && bench->in_execution; }

void note_program_mapping(uintptr_t start, size_t length) {
  if (runs_in_place()) note_new_mapping(start, length);
}

void note_input_read() { bench->input_read = true; }

bool input_was_read() {
  const bool was = bench->input_read;
  bench->input_read = false;
  return was;
}

SystemCallsAllowed::SystemCallsAllowed() : watched_(runs_in_place() && bench->selector == 1) {
  if (watched_) bench->selector = 0;
}
SystemCallsAllowed::~SystemCallsAllowed() {
  if (watched_) bench->selector = 1;
}

bool serve_in_place() {
  const long mapped = raw_syscall(SYS_mmap, 0, sizeof(Bench), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (raw_failed(mapped)) return false;
  bench = reinterpret_cast<Bench*>(mapped);
  if (!watch_system_calls()) return false;
  // A huge page would be written as a whole without a fault for each of its pages.
  raw_syscall(SYS_prctl, PR_SET_THP_DISABLE, 1);
  prepare_threads();
  redirect_standard_streams();
  Context server{};
  server.stack_pointer = bench->stack + kServerStack;
  server.fs_base = context(kMainThread).fs_base;
  prepare_stack(server, in_place_server);
  switch_stacks(&context(kMainThread).stack_pointer, server);
  return segment().control.in_place;
}

void return_to_server() {
  bench->selector = 0;
  Context server{};
  server.stack_pointer = bench->server_stack_pointer;
  server.fs_base = context(kMainThread).fs_base;
  void* nobody;
  switch_stacks(&nobody, server);
  __builtin_unreachable();
}

}  // namespace mazurka
