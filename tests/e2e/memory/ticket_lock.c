// A ticket lock: draw a number, wait until it is called.
// check: verdict=ok
// check BROKEN: verdict=error findings=race,deadlock
#include <stdatomic.h>

#include "parallel.h"

atomic_int next_ticket, now_serving;
int counter;

int lock(void) {
#ifdef BROKEN
  const int ticket = next_ticket;
  next_ticket = ticket + 1;
#else
  const int ticket = next_ticket++;
#endif
  while (now_serving != ticket) {
  }
  return ticket;
}

void unlock(int ticket) { now_serving = ticket + 1; }

void* work(void* unused) {
  const int ticket = lock();
  ++counter;  // mazurka: race
  unlock(ticket);
  return NULL;
}

int main() {
  both(work, work);
  assert(counter == 2);
}
