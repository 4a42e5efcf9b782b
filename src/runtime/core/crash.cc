#include "runtime/core/crash.h"

#include <execinfo.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cstdio>
#include <cstring>

#include "runtime/core/places.h"
#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/reset/in_place.h"
#include "runtime/reset/server.h"
#include "runtime/signals/signal_handler.h"
#include "runtime/time/time_stamps.h"

// A fault at its first instruction makes it return 0.
__asm__(R"(
.text
.type mazurka_probe,@function
.hidden mazurka_probe
.hidden mazurka_probe_failed
.globl mazurka_probe
.globl mazurka_probe_failed
mazurka_probe:
  movb (%rdi), %al
  movl $1, %eax
  ret
mazurka_probe_failed:
  xorl %eax, %eax
  ret
.size mazurka_probe,.-mazurka_probe
)");
extern "C" int mazurka_probe(const void* address);
extern "C" void mazurka_probe_failed();

namespace mazurka {
namespace {

constexpr int kCrashSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
constexpr size_t kSignalStackSize = 1u << 17;
constexpr size_t kCrashStackSize = 1u << 18;
// What x86-64 code may use below the stack pointer.
constexpr uintptr_t kRedZone = 128;

uint64_t fault_address;  // of FaultsAt; 0: none

struct Crash {
  int signal;
  uint64_t pc;
  void* frames[64];
  int frame_count;
};

[[noreturn]] void crashed(const Crash* crash) {
  char text[64];
  snprintf(text, sizeof text, "%s", strsignal(crash->signal));
  reach({.kind = OpKind::Crash, .value = crash->signal},
        {crash->pc, text, crash->frames, crash->frame_count});
  vanish();
}

// From the signal's frame on: the innermost are the handler's and the kernel's trampoline.
void record_frames(Crash& crash) {
  void* frames[64];
  const int count = backtrace(frames, 64);
  int first = 0;
  while (first < count && reinterpret_cast<uint64_t>(frames[first]) + 1 != crash.pc) ++first;
  if (first == count) return;
  frames[first] = reinterpret_cast<void*>(crash.pc);
  crash.frame_count = count - first;
  memcpy(crash.frames, frames + first, sizeof(void*) * static_cast<size_t>(crash.frame_count));
}

// The thread goes on in crashed(), on a stack of its own: the signal stack is one for all threads
// of the process, and the thread's own may be what overflowed.
void on_crash(int signal, siginfo_t* info, void* context_pointer) {
  if (serves_time_stamp(signal, info, context_pointer)) return;
  auto* interrupted = static_cast<ucontext_t*>(context_pointer);
  greg_t& at = interrupted->uc_mcontext.gregs[REG_RIP];
  if (at == reinterpret_cast<greg_t>(&mazurka_probe)) {
    at = reinterpret_cast<greg_t>(&mazurka_probe_failed);
    return;
  }
  const long stack = raw_syscall(SYS_mmap, 0, kCrashStackSize, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw_failed(stack)) raw_exit_group(128 + signal);
  note_program_mapping(static_cast<uintptr_t>(stack), kCrashStackSize);
  const uintptr_t top = static_cast<uintptr_t>(stack) + kCrashStackSize - sizeof(Crash) - kRedZone;
  auto* crash = reinterpret_cast<Crash*>(top & ~uintptr_t{15});
  auto& registers = interrupted->uc_mcontext.gregs;
  crash->signal = signal;
  crash->pc = static_cast<uint64_t>(registers[REG_RIP]) + 1;  // as if it were a return address
  if (fault_address != 0) crash->pc = fault_address + 1;
  fault_address = 0;
  record_frames(*crash);
  // A jump, seen from the called function as a call: the stack is 8 off a multiple of 16.
  registers[REG_RSP] = static_cast<greg_t>(reinterpret_cast<uintptr_t>(crash) - 24);
  *reinterpret_cast<uint64_t*>(registers[REG_RSP]) = 0;
  registers[REG_RDI] = reinterpret_cast<greg_t>(crash);
  registers[REG_RIP] = reinterpret_cast<greg_t>(&crashed);
}

// The tool's watchdog: invisible code has run for too long. Where it was is all that is wanted.
void on_interrupt(int, siginfo_t*, void* context_pointer) {
  const auto& registers = static_cast<ucontext_t*>(context_pointer)->uc_mcontext.gregs;
  Crash crash{};
  crash.pc = static_cast<uint64_t>(registers[REG_RIP]) + 1;
  record_frames(crash);
  record_interruption(crash.pc, crash.frames, crash.frame_count);
  if (!runs_in_place()) raw_exit_group(0);
  segment().control.lost = 1;
  return_to_server();
}

}  // namespace

void catch_crash(int signal) { install_handler(signal, on_crash); }

void crash(int signal, void* context) { on_crash(signal, nullptr, context); }

bool is_crash_handler(const struct sigaction& action) { return action.sa_sigaction == on_crash; }

FaultsAt::FaultsAt(uint64_t address) { fault_address = address; }
FaultsAt::~FaultsAt() { fault_address = 0; }

bool can_read(const void* address) { return mazurka_probe(address) != 0; }

void make_signal_stack() {
  const long start = raw_syscall(SYS_mmap, 0, kSignalStackSize, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw_failed(start)) return;
  const stack_t stack{
      .ss_sp = reinterpret_cast<void*>(start), .ss_flags = 0, .ss_size = kSignalStackSize};
  raw_syscall(SYS_sigaltstack, address_of(&stack), 0);
}

void catch_crashes() {
  if (segment().control.direct) return;  // the debugger wants them
  static char signal_stack[kSignalStackSize];
  const stack_t stack{.ss_sp = signal_stack, .ss_flags = 0, .ss_size = sizeof signal_stack};
  raw_syscall(SYS_sigaltstack, address_of(&stack), 0);
  install_handler(kInterruptSignal, on_interrupt);
  for (const int signal : kCrashSignals) {
    // What the program's user or its constructors ignored or handle stays so.
    struct sigaction present;
    if (REAL(sigaction)(signal, nullptr, &present) == 0 && present.sa_handler != SIG_DFL) continue;
    install_handler(signal, on_crash);
  }
  trap_time_stamps();
}

}  // namespace mazurka
