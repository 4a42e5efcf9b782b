// The lock of Mellor-Crummey and Scott: a queue of those who wait, each looks at a place of its
// own.
// check: verdict=ok
// check BROKEN: verdict=error findings=deadlock
#include <stdatomic.h>

#include "parallel.h"

struct Waiter {
  _Atomic(struct Waiter*) next;
  atomic_int must_wait;
};
_Atomic(struct Waiter*) last;
struct Waiter waiters[2];
int counter;

void lock(struct Waiter* me) {
  me->next = NULL;
  me->must_wait = 1;
  struct Waiter* before = atomic_exchange(&last, me);
  if (before == NULL) return;
  before->next = me;
  while (me->must_wait) {  // mazurka: deadlock
  }
}

void unlock(struct Waiter* me) {
  struct Waiter* self = me;
  if (me->next == NULL) {
#ifdef BROKEN
    atomic_compare_exchange_strong(&last, &self, NULL);
    return;  // even if somebody has just come
#else
    if (atomic_compare_exchange_strong(&last, &self, NULL)) return;
    while (me->next == NULL) {
    }
#endif
  }
  struct Waiter* next = me->next;
  next->must_wait = 0;
}

void* work(void* number) {
  struct Waiter* me = &waiters[(long)number];
  lock(me);
  ++counter;
  unlock(me);
  return NULL;
}

int main() {
  all(2, work);
  assert(counter == 2);
}
