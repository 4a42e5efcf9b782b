// Peterson's mutual exclusion of two threads, K times each.
// check: verdict=ok arguments=1
// check: verdict=ok arguments=2 builds=one compare=no
// check BROKEN: verdict=error findings=race arguments=1
#include <stdatomic.h>
#include <stdlib.h>

#include "parallel.h"

atomic_int wants[2], turn;
int rounds, visits;

void* work(void* number) {
  const int me = (int)(long)number;
  for (int i = 0; i < rounds; ++i) {
#ifdef BROKEN
    turn = 1 - me;
    wants[me] = 1;
#else
    wants[me] = 1;
    turn = 1 - me;
#endif
    while (wants[1 - me] && turn == 1 - me) {
    }
    ++visits;  // mazurka: race
    wants[me] = 0;
  }
  return NULL;
}

int main(int count, char** arguments) {
  rounds = atoi(arguments[1]);
  all(2, work);
  assert(visits == 2 * rounds);
}
