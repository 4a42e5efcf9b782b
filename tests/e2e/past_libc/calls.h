// System calls past libc: by an instruction of the program's own.
#pragma once
#include <sys/syscall.h>

static inline long call6(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}
#define CALL(number, a, b, c) call6(number, (long)(a), (long)(b), (long)(c), 0, 0, 0)
