// System calls that go past libc and past our own interposers, and that leave errno alone.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>

#include <cstdint>

namespace mazurka {

// The result as the kernel gives it: -errno on failure.
inline long raw_syscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                        long f = 0) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

inline bool raw_failed(long result) { return result < 0 && result > -4096; }

template <typename T>
long address_of(T* pointer) {
  return reinterpret_cast<long>(pointer);
}

// May return early: look at the word again. One waiter is woken.
inline void raw_futex_wait(uint32_t& word, uint32_t while_value) {
  raw_syscall(SYS_futex, address_of(&word), FUTEX_WAIT, while_value);
}
inline void raw_futex_wake(uint32_t& word) {
  raw_syscall(SYS_futex, address_of(&word), FUTEX_WAKE, 1);
}

[[noreturn]] inline void raw_exit_group(int status) {
  for (;;) raw_syscall(SYS_exit_group, status);
}

}  // namespace mazurka
