// Dekker's mutual exclusion of two threads, K times each.
// check: verdict=ok arguments=1
// check: verdict=ok arguments=2 builds=one compare=no
// check BROKEN: verdict=error findings=race arguments=1
#include <stdatomic.h>
#include <stdlib.h>

#include "parallel.h"

atomic_int wants[2], turn;
int rounds, visits;

void enter(int me) {
  wants[me] = 1;
  while (wants[1 - me]) {
#ifdef BROKEN
    if (turn == me) return;  // but the other may be inside
#else
    if (turn == me) continue;
#endif
    wants[me] = 0;
    while (turn != me) {
    }
    wants[me] = 1;
  }
}

void leave(int me) {
  turn = 1 - me;
  wants[me] = 0;
}

void* work(void* number) {
  const int me = (int)(long)number;
  for (int i = 0; i < rounds; ++i) {
    enter(me);
    ++visits;  // mazurka: race
    leave(me);
  }
  return NULL;
}

int main(int count, char** arguments) {
  rounds = atoi(arguments[1]);
  all(2, work);
  assert(visits == 2 * rounds);
}
