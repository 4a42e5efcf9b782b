#include "runtime/patches/loop_trace.h"

#include <cstring>

#include "runtime/accesses/spin_trail.h"
#include "runtime/core/ends.h"
#include "runtime/core/state.h"
#include "runtime/patches/watched_stretch.h"
#include "runtime/signals/signal_handler.h"

namespace mazurka {
namespace {

constexpr greg_t kTrapFlag = 0x100;
constexpr uint32_t kMostSteps = 200'000;
constexpr uint64_t kRedZone = 128;

struct Trace {
  bool is_active;
  bool is_round;        // it has come round once: now its instructions are listed
  uint32_t steps;       // since the beginning
  uint32_t since;       // since `reference`
  uint32_t next_power;  // after so many more, what is compared with is the present state (Brent)
  uint64_t reference[17];
  uint64_t reference_stack;
};
Trace trace;

void read_registers(const ucontext_t& interrupted, uint64_t (&registers)[17]) {
  const auto& from = interrupted.uc_mcontext.gregs;
  for (int i = 0; i < 16; ++i) registers[i] = static_cast<uint64_t>(from[i]);  // r8 to rsp
  registers[16] = static_cast<uint64_t>(from[REG_RIP]);
}

uint64_t hash_of_stack(const ucontext_t& interrupted) {
  const auto stack = static_cast<uint64_t>(interrupted.uc_mcontext.gregs[REG_RSP]) - kRedZone;
  const uint64_t flags = static_cast<uint64_t>(interrupted.uc_mcontext.gregs[REG_EFL] & ~kTrapFlag);
  return spin_state(0, reinterpret_cast<const uint64_t*>(stack & ~uint64_t{7}), &flags, 1).hash;
}

void stop_tracing(ucontext_t& interrupted) {
  interrupted.uc_mcontext.gregs[REG_EFL] &= ~kTrapFlag;
  trace.is_active = false;
}

void compare_from_here(const ucontext_t& interrupted) {
  read_registers(interrupted, trace.reference);
  trace.reference_stack = hash_of_stack(interrupted);
  trace.since = 0;
}

bool has_come_round(const ucontext_t& interrupted) {
  uint64_t registers[17];
  read_registers(interrupted, registers);
  return memcmp(registers, trace.reference, sizeof registers) == 0 &&
         hash_of_stack(interrupted) == trace.reference_stack;
}

void list_place(uint64_t pc) {
  LoopPlaces& loop = segment().loop;
  constexpr uint32_t kMost = sizeof loop.places / sizeof *loop.places;
  if (loop.count < kMost) loop.places[loop.count++] = pc;
}

bool is_in_own_code(const ucontext_t& interrupted) {
  const auto pc = static_cast<uint64_t>(interrupted.uc_mcontext.gregs[REG_RIP]);
  uintptr_t start = 0;
  size_t length = 0;
  return own_code(start, length) && pc - start < length;
}

void on_trace_signal(int, siginfo_t*, void* context_pointer) {
  auto& interrupted = *static_cast<ucontext_t*>(context_pointer);
  // In code of ours the thread may be on another stack, such as that of signals.
  if (trace.is_active || is_in_own_code(interrupted)) return;
  const bool may_wait = state.scheduling && !world().alone(state.current);
  if (!may_wait || segment().control.loops_are_known != 0) return;
  give_up_stretch(interrupted);
  trace = {};
  trace.is_active = true;
  trace.next_power = 1;
  segment().loop.count = 0;
  compare_from_here(interrupted);
  interrupted.uc_mcontext.gregs[REG_EFL] |= kTrapFlag;
}

}  // namespace

void catch_trace_signal() { install_handler(kTraceSignal, on_trace_signal); }

bool is_tracing() { return trace.is_active; }

void trace_step(ucontext_t& interrupted) {
  const auto pc = static_cast<uint64_t>(interrupted.uc_mcontext.gregs[REG_RIP]);
  if (is_in_own_code(interrupted) || ++trace.steps == kMostSteps) return stop_tracing(interrupted);
  ++trace.since;
  const bool is_round = has_come_round(interrupted);
  if (trace.is_round) {
    list_place(pc);
    if (!is_round) return;
    stop_tracing(interrupted);
    end_execution(Ending::NeedsLoop);
  }
  if (is_round) {
    trace.is_round = true;
  } else if (trace.since == trace.next_power) {
    trace.next_power *= 2;
    compare_from_here(interrupted);
  }
}

}  // namespace mazurka
