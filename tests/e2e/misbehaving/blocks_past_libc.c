#include <sys/syscall.h>

int main(void) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_pause) : "rcx", "r11", "memory");
  return 0;
}
