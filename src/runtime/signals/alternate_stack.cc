#include "runtime/signals/alternate_stack.h"

#include <ucontext.h>

#include <cstring>

#include "runtime/core/crash.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"

// void mazurka_call_on(char* top, handler, int signal, siginfo_t*, void* context). Unwinders find
// the way back by the frame pointer.
__asm__(R"(
.text
.type mazurka_call_on,@function
.hidden mazurka_call_on
.globl mazurka_call_on
mazurka_call_on:
  .cfi_startproc
  push %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  mov %rsp, %rbp
  .cfi_def_cfa_register %rbp
  mov %rdi, %rsp
  and $-16, %rsp
  mov %rsi, %rax
  mov %edx, %edi
  mov %rcx, %rsi
  mov %r8, %rdx
  call *%rax
  leave
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
.size mazurka_call_on,.-mazurka_call_on
)");
extern "C" void mazurka_call_on(char* top, mazurka::SignalFunction handler, int signal,
                                siginfo_t* info, void* context);

namespace mazurka {
namespace {

constexpr int kAutoDisarm = static_cast<int>(1u << 31);  // SS_AUTODISARM
constexpr size_t kLeastSize = 2048;
constexpr uintptr_t kRedZone = 128;

// Fork copies it with the thread, a new thread has none, exec forgets it.
thread_local stack_t alternate;

char* end_of_stack() { return static_cast<char*>(alternate.ss_sp) + alternate.ss_size; }

int present_flags(uint64_t stack_pointer) {
  if (alternate.ss_size == 0) return SS_DISABLE;
  const int kept = alternate.ss_flags & kAutoDisarm;
  return kept | (is_on_alternate_stack(stack_pointer) ? SS_ONSTACK : 0);
}

int set_alternate_stack(const stack_t& wanted, uint64_t stack_pointer) {
  if (is_on_alternate_stack(stack_pointer)) return EPERM;
  const int mode = wanted.ss_flags & ~kAutoDisarm;
  if (mode != 0 && mode != SS_DISABLE && mode != SS_ONSTACK) return EINVAL;
  if (mode == SS_DISABLE) {
    alternate = {};
    return 0;
  }
  if (wanted.ss_size < kLeastSize) return ENOMEM;
  alternate = wanted;
  return 0;
}

// The kernel's frame for a handler: the way back, the context, the information, and somewhere above
// them the vector registers.
struct Frame {
  uintptr_t start;
  uintptr_t end;
};
Frame frame_of(const siginfo_t* info, const ucontext_t* context) {
  const auto vectors = reinterpret_cast<uintptr_t>(context->uc_mcontext.fpregs);
  constexpr uint32_t kExtended = 0x46505853;  // FP_XSTATE_MAGIC1
  uint32_t words[2];
  uintptr_t end = reinterpret_cast<uintptr_t>(info + 1);
  if (vectors != 0) {
    memcpy(words, reinterpret_cast<const char*>(vectors) + 464, sizeof words);
    end = vectors + (words[0] == kExtended ? words[1] : 512);
  }
  return {reinterpret_cast<uintptr_t>(context) - sizeof(void*), end};
}

}  // namespace

bool is_on_alternate_stack(uint64_t address) {
  return address - reinterpret_cast<uint64_t>(alternate.ss_sp) < alternate.ss_size;
}

void call_on_alternate_stack(SignalFunction handler, int signal, siginfo_t* info, void* context) {
  const auto here = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  if (alternate.ss_size == 0 || is_on_alternate_stack(here)) return handler(signal, info, context);
  const stack_t present = alternate;
  char* const top = end_of_stack();
  if ((present.ss_flags & kAutoDisarm) != 0) alternate = {};
  mazurka_call_on(top, handler, signal, info, context);
  if ((present.ss_flags & kAutoDisarm) != 0) alternate = present;
}

void move_to_alternate_stack(SignalFunction handler, int signal, siginfo_t* info, void* context) {
  auto* const interrupted = static_cast<ucontext_t*>(context);
  const auto stack_pointer = static_cast<uintptr_t>(interrupted->uc_mcontext.gregs[REG_RSP]);
  const bool moves = alternate.ss_size != 0 && !is_on_alternate_stack(stack_pointer);
  const uintptr_t top =
      moves ? reinterpret_cast<uintptr_t>(end_of_stack()) : stack_pointer - kRedZone;
  const Frame frame = frame_of(info, interrupted);
  constexpr uintptr_t kAlignment = 64;  // of the vector registers
  const uintptr_t shift = (top - frame.end) & ~(kAlignment - 1);
  const bool fits = !moves || is_on_alternate_stack(frame.start + shift);
  if (!fits) return crash(SIGSEGV, context);  // as the kernel does
  memcpy(reinterpret_cast<void*>(frame.start + shift), reinterpret_cast<void*>(frame.start),
         frame.end - frame.start);
  auto* const moved = reinterpret_cast<ucontext_t*>(reinterpret_cast<uintptr_t>(context) + shift);
  if (moved->uc_mcontext.fpregs != nullptr)
    moved->uc_mcontext.fpregs = reinterpret_cast<fpregset_t>(
        reinterpret_cast<uintptr_t>(interrupted->uc_mcontext.fpregs) + shift);
  asm volatile(
      "mov %0, %%rsp\n\t"
      "xor %%ebp, %%ebp\n\t"
      "jmp *%1"
      :
      : "a"(frame.start + shift), "c"(handler), "D"(signal),
        "S"(reinterpret_cast<uintptr_t>(info) + shift), "d"(moved)
      : "memory");
  __builtin_unreachable();
}

}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int sigaltstack(const stack_t* __restrict wanted, stack_t* __restrict old) noexcept {
  if (!attached()) return REAL(sigaltstack)(wanted, old);
  const auto here = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  stack_t before = alternate;
  before.ss_flags = present_flags(here);
  if (wanted != nullptr) {
    if (const int error = set_alternate_stack(*wanted, here); error != 0) return fail(error);
  }
  if (old != nullptr) *old = before;
  return 0;
}
