// The threads count together, 1680 ways; in one of them alone two of them then write without order.
// check: verdict=ok executions=1680 compare=no
// check BROKEN: verdict=error findings=race executions=1680 compare=no
#include <stdatomic.h>

#include "parallel.h"

atomic_int counter;
int data;

void* work(void* number) {
  const int me = (int)(long)number;
  int drawn[3];
  for (int i = 0; i < 3; ++i) drawn[i] = counter++;
#ifdef BROKEN
  if (me == 0 && drawn[0] == 0 && drawn[1] == 3 && drawn[2] == 6) data = 1;  // mazurka: race
  if (me == 1 && drawn[0] == 2 && drawn[1] == 5 && drawn[2] == 8) data = 2;  // mazurka: race
#else
  if (me == 0 && drawn[0] == 0 && drawn[1] == 3 && drawn[2] == 6) data = 1;
#endif
  return NULL;
}

int main() { all(3, work); }
