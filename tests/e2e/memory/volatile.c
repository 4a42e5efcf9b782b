// Volatile is not atomic: a flag that is volatile only orders nothing.
// check: verdict=ok
// check BROKEN: verdict=error findings=race
#include <stdatomic.h>

#include "parallel.h"

#ifdef BROKEN
volatile int flag;
#else
volatile atomic_int flag;
#endif
int data;

void* sends(void* unused) {
  data = 42;  // mazurka: race
  flag = 1;   // mazurka: race
  return NULL;
}

void* receives(void* unused) {
  if (flag) assert(data == 42);  // mazurka: race
  return NULL;
}

int main() { both(sends, receives); }
