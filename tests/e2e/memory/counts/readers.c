// N threads read what one writes: each does so before or after.
#include <stdatomic.h>
#include <stdlib.h>

#include "../parallel.h"

#ifdef PLAIN
volatile int x;
#else
atomic_int x;
#endif

void* work(void* number) {
  if (number == NULL) {
    x = 1;
  } else {
    (void)x;
  }
  return NULL;
}

int main(int count, char** arguments) { all(1 + atoi(arguments[1]), work); }
