// Loops that wait. A thread that only looks again and again waits for a change, and if all do, that
// is a deadlock.
// check: verdict=ok
// check FOR_EACH_OTHER: verdict=error findings=deadlock builds=two
// check YIELD: verdict=ok builds=two
// check SLEEP: verdict=ok builds=two
// check UPDATES: verdict=ok builds=two
// check WEAK: verdict=ok builds=two
// check CLOCK: verdict=ok builds=two
#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "parallel.h"

atomic_int first_is_ready, second_is_ready, counter;

void wait_for(atomic_int* flag) {
#ifdef CLOCK
  const time_t deadline = time(NULL) + 2;  // nobody sets the second one: then time ends it
#endif
  while (!*flag) {  // mazurka: deadlock
#ifdef CLOCK
    if (time(NULL) >= deadline) break;
#endif
#if defined YIELD
    sched_yield();
#elif defined SLEEP
    usleep(100);
#elif defined UPDATES
    atomic_fetch_add(&counter, 0);  // leaves it as it is
#endif
  }
}

void increment(void) {
  int old = counter;
  while (!atomic_compare_exchange_weak(&counter, &old, old + 1)) {
  }
}

void* first(void* unused) {
#ifdef FOR_EACH_OTHER
  wait_for(&second_is_ready);
#endif
#ifdef WEAK
  increment();
#endif
  first_is_ready = 1;
  wait_for(&second_is_ready);
  return NULL;
}

void* second(void* unused) {
  wait_for(&first_is_ready);
#ifdef WEAK
  increment();
#endif
#ifndef CLOCK
  second_is_ready = 1;
#endif
  return NULL;
}

int main() {
  both(first, second);
#ifdef WEAK
  assert(counter == 2);
#endif
}
