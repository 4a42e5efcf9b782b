// Two threads count with an atomic variable.
// check: verdict=ok executions=2
// check BROKEN: verdict=error findings=assertion
#include <stdatomic.h>

#include "parallel.h"

atomic_int counter;

void* count(void* unused) {
#ifdef BROKEN
  counter = counter + 1;  // each half is atomic, the whole is not
#else
  counter++;
#endif
  return NULL;
}

int main() {
  both(count, count);
  assert(counter == 2);  // mazurka: assertion
}
