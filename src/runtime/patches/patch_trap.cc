#include "runtime/patches/patch_trap.h"

#include <ucontext.h>

#include "runtime/core/crash.h"
#include "runtime/core/runtime.h"
#include "runtime/patches/access_watch.h"
#include "runtime/patches/loop_trace.h"
#include "runtime/patches/patches.h"
#include "runtime/patches/watched_stretch.h"
#include "runtime/signals/signal_handler.h"

namespace mazurka {
namespace {

bool is_caught;
bool has_own_action;
struct sigaction own_action;

void call_program(int signal, siginfo_t* info, void* context) {
  const struct sigaction action = own_action;
  if (action.sa_flags & SA_RESETHAND) has_own_action = false;
  if (action.sa_flags & SA_SIGINFO) return action.sa_sigaction(signal, info, context);
  action.sa_handler(signal);
}

void on_trap(int signal, siginfo_t* info, void* context_pointer) {
  auto& interrupted = *static_cast<ucontext_t*>(context_pointer);
  auto& registers = interrupted.uc_mcontext.gregs;
  // Who goes one instruction at a time has not been told of the copy.
  if (look_at_access(static_cast<uint64_t>(registers[REG_RIP]) - 1, interrupted)) {
    if (stretch_is_watched()) return stretch_step(interrupted);
    if (is_tracing()) trace_step(interrupted);
    return;
  }
  if (const Patch* const patch = patch_at(static_cast<uint64_t>(registers[REG_RIP]) - 1)) {
    registers[REG_RIP] = reinterpret_cast<greg_t>(patch->code);
    return;
  }
  if (stretch_is_watched()) return stretch_step(interrupted);
  if (is_tracing()) return trace_step(interrupted);
  if (!has_own_action || own_action.sa_handler == SIG_DFL) return crash(signal, context_pointer);
  if (own_action.sa_handler != SIG_IGN) call_program(signal, info, context_pointer);
}

void on_no_instruction(int signal, siginfo_t*, void* context_pointer) {
  auto& registers = static_cast<ucontext_t*>(context_pointer)->uc_mcontext.gregs;
  const Patch* const patch = patch_at(static_cast<uint64_t>(registers[REG_RIP]));
  if (patch == nullptr) return crash(signal, context_pointer);
  registers[REG_RIP] = reinterpret_cast<greg_t>(patch->code);
}

}  // namespace

void catch_patch_traps() {
  if (segment().control.direct != 0) return install_handler(SIGILL, on_no_instruction);
  if (is_caught) return;
  is_caught = true;
  struct sigaction present;
  if (REAL(sigaction)(SIGTRAP, nullptr, &present) == 0 && !is_crash_handler(present))
    set_trap_action(present);
  install_handler(SIGTRAP, on_trap);
  catch_trace_signal();
}

bool traps_are_caught() { return is_caught; }

void set_trap_action(const struct sigaction& action) {
  own_action = action;
  has_own_action = action.sa_handler != SIG_DFL;
}

}  // namespace mazurka
