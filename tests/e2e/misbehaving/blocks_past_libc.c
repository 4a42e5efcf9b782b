int main(void) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "0"(29 /* pause, of 32 bits */) : "memory");
  return 0;
}
