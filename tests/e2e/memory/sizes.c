// Atomic variables for which the processor has no instruction: the compiler calls libatomic.
// check: verdict=ok executions=4 flags=-latomic
// check TORN: verdict=error findings=assertion flags=-latomic
// check PLAIN: verdict=error findings=race flags=-latomic builds=two
// check LARGE: verdict=ok flags=-latomic builds=two compare=no
// check WAITS: verdict=ok flags=-latomic builds=two
// check PAIRS: verdict=ok flags=-latomic
#include <string.h>

#include "parallel.h"

#ifdef LARGE
enum { kNumbers = 100 };
#elif defined PAIRS
enum { kNumbers = 4 };  // 16 bytes
#else
enum { kNumbers = 3 };
#endif

typedef struct {
  int numbers[kNumbers];
} block;

_Alignas(16) block shared;

block filled(int number) {
  block b;
  for (int i = 0; i < kNumbers; ++i) b.numbers[i] = number;
  return b;
}

enum { kOrder = __ATOMIC_SEQ_CST };

// Adds 1 to all its numbers.
void* increment(void* unused) {
  block old, next;
  __atomic_load(&shared, &old, __ATOMIC_SEQ_CST);
#ifdef TORN
  next = filled(old.numbers[0] + 1);
  __atomic_store(&shared, &next, __ATOMIC_SEQ_CST);
#else
  int done;
  do {
    for (int i = 0; i < kNumbers; ++i) assert(old.numbers[i] == old.numbers[0]);
    next = filled(old.numbers[0] + 1);
    done = __atomic_compare_exchange(&shared, &old, &next, 0, kOrder, kOrder);  // mazurka: race
  } while (!done);
#endif
  return NULL;
}

void* look(void* unused) {
#ifdef PLAIN
  assert(shared.numbers[1] < 3);  // mazurka: race
#elif defined WAITS
  block now;
  do __atomic_load(&shared, &now, __ATOMIC_SEQ_CST);
  while (now.numbers[2] != 1);
#endif
  return NULL;
}

int main() {
#if defined PLAIN || defined WAITS
  both(increment, look);
  return 0;
#endif
  both(increment, increment);
  block end = filled(9);
  block last;
  __atomic_exchange(&shared, &end, &last, __ATOMIC_SEQ_CST);
  assert(last.numbers[kNumbers - 1] == 2);  // mazurka: assertion
}
