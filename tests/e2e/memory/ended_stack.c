// The stack of a thread that has ended is nobody's memory. JOINED: a pointer to it is used after
// the join. EARLY: it is used before the end, with nothing that orders the two. Without either, the
// thread waits until the other is done.
// check: verdict=ok
// check JOINED: verdict=error findings=memory
// check EARLY: verdict=error findings=race
#include <semaphore.h>
#include <stdatomic.h>

#include "parallel.h"

_Atomic(int*) shown;
sem_t is_done;
atomic_int is_going;

void* shows(void* unused) {  // mazurka: race
  int own = 0;
  shown = &own;
#ifdef EARLY
  atomic_store(&is_going, 1);
#else
  sem_wait(&is_done);
#endif
#ifdef JOINED
  return (void*)shown;
#endif
  return NULL;
}

void* looks(void* unused) {
  int* other;
  while ((other = shown) == NULL) {
  }
  *(volatile int*)other = 1;  // mazurka: race
  sem_post(&is_done);
  return NULL;
}

int main() {
  sem_init(&is_done, 0, 0);
#ifdef JOINED
  pthread_t one, other;
  void* result;
  pthread_create(&one, NULL, shows, NULL);
  pthread_create(&other, NULL, looks, NULL);
  pthread_join(one, &result);
  pthread_join(other, NULL);
  return *(volatile int*)result;  // mazurka[JOINED]: memory
#else
  both(shows, looks);
  return 0;
#endif
}
