// Szymanski's mutual exclusion: a waiting room with two doors. For two threads, K times each.
// check: verdict=ok arguments=1 builds=two compare=no
// check BROKEN: verdict=error findings=race,deadlock arguments=1 builds=two compare=no
#include <stdatomic.h>
#include <stdlib.h>

#include "parallel.h"

enum { kOutside, kWants, kWaits, kEnters, kInside };
atomic_int flags[2];
int rounds, visits;

void enter(int me) {
  const int other = 1 - me;
  flags[me] = kWants;
  while (flags[other] >= kEnters) {
  }
  flags[me] = kEnters;
  if (flags[other] == kWants) {
    flags[me] = kWaits;
    while (flags[other] != kInside) {
    }
  }
  flags[me] = kInside;
#ifndef BROKEN
  if (me == 1) {
    while (flags[other] >= kWaits) {
    }
  }
#endif
}

void leave(int me) {
  if (me == 0) {
    int other = flags[1];
    while (other == kWaits || other == kEnters) other = flags[1];
  }
  flags[me] = kOutside;
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
