// Jumps out of signal handlers. What is blocked is the model's knowledge, not the kernel's, so
// sigsetjmp must save it from there, and siglongjmp set it again: an operation, as in the C
// library, before the jump.
#include <setjmp.h>

#include <cstdint>

#include "runtime/signals/signal_actions.h"

// A function that returns twice can only be passed on by a jump.
__asm__(R"(
.text
.type __sigsetjmp,@function
.globl __sigsetjmp
__sigsetjmp:
  push %rdi
  push %rsi
  sub $8, %rsp
  call mazurka_before_setjmp
  add $8, %rsp
  pop %rsi
  pop %rdi
  jmp *%rax
.size __sigsetjmp,.-__sigsetjmp
)");

using namespace mazurka;

namespace {

// The kernel uses the first word of the saved mask; the rest of it is free.
constexpr uint64_t kMark = 0x6d617a75726b6131;

unsigned long* saved_words(jmp_buf environment) { return environment[0].__saved_mask.__val; }

void restore_mask(jmp_buf environment, Call call) {
  const unsigned long* const words = saved_words(environment);
  if (attached() && environment[0].__mask_was_saved != 0 && words[2] == kMark)
    block_signals(words[1], call);
}

}  // namespace

extern "C" __attribute__((visibility("hidden"), used)) void* mazurka_before_setjmp(
    jmp_buf environment, int saves_mask) {
  if (saves_mask != 0 && attached()) {
    saved_words(environment)[1] = blocked_signals();
    saved_words(environment)[2] = kMark;
  }
  return real_function("__sigsetjmp");
}

// By names of our own: C++ says of these functions that they throw nothing, and a jump may leave
// through frames that the unwinder must pass.
MAZURKA_EXPORT void jump_with_mask(sigjmp_buf environment, int value) __asm__("siglongjmp");
void jump_with_mask(sigjmp_buf environment, int value) {
  restore_mask(environment, MAZURKA_HERE);
  REAL(siglongjmp)(environment, value);
  __builtin_unreachable();
}

MAZURKA_EXPORT void jump(jmp_buf environment, int value) __asm__("longjmp");
void jump(jmp_buf environment, int value) {
  restore_mask(environment, MAZURKA_HERE);
  REAL(siglongjmp)(environment, value);
  __builtin_unreachable();
}

MAZURKA_EXPORT void jump_checked(jmp_buf environment, int value) __asm__("__longjmp_chk");
void jump_checked(jmp_buf environment, int value) {
  restore_mask(environment, MAZURKA_HERE);
  REAL(siglongjmp)(environment, value);
  __builtin_unreachable();
}
