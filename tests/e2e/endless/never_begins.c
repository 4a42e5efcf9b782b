// It does not come to its main function.
static volatile unsigned long spins;

__attribute__((constructor)) static void spin(void) {
  for (;;) ++spins;
}

int main(void) { return 0; }
