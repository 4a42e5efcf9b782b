// Loops that wait for plain variables, which are operations here: as with atomic ones, a thread
// that only looks again and again waits for a change of what it has read.
// check: verdict=ok options=--memory=visible
// check FOR_EACH_OTHER: verdict=error findings=deadlock builds=two options=--memory=visible
// check MIXED: verdict=ok builds=two options=--memory=visible
// check OTHER_SIZE: verdict=ok builds=two options=--memory=visible
// check COUNTS: verdict=incomplete builds=one options=--memory=visible,--bound=12 compare=no
#include <stdatomic.h>
#include <stdint.h>

#include "parallel.h"

volatile int first_is_ready, second_is_ready, rounds;
atomic_int never;
volatile union {
  uint64_t all;
  uint8_t bytes[8];
} wide;

void wait_for(volatile int* flag) {
#ifdef MIXED
  while (!never && !*flag) {
#else
  while (!*flag) {  // mazurka: deadlock
#endif
#if defined COUNTS
    ++rounds;  // an effect: each round is another one
#endif
  }
}

void* first(void* unused) {
#ifdef FOR_EACH_OTHER
  wait_for(&second_is_ready);
#endif
#ifdef OTHER_SIZE
  while (!wide.bytes[5]) {
  }
#endif
  first_is_ready = 1;
  wait_for(&second_is_ready);
  return NULL;
}

void* second(void* unused) {
#ifdef OTHER_SIZE
  wide.all = UINT64_MAX;
#endif
  wait_for(&first_is_ready);
  second_is_ready = 1;
  return NULL;
}

int main() { both(first, second); }
