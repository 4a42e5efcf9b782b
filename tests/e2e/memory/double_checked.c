// Something is set up by whoever needs it first; the lock is taken only as long as it seems to be
// missing.
// check: verdict=ok
// check BROKEN: verdict=error findings=race
#include <stdatomic.h>
#include <stdlib.h>

#include "parallel.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#ifdef BROKEN
int* thing;
#else
_Atomic(int*) thing;
#endif

int* get(void) {
  int* found = thing;  // mazurka: race
  if (found != NULL) return found;
  pthread_mutex_lock(&mutex);
  if (thing == NULL) {
    int* made = malloc(sizeof *made);
    *made = 42;    // mazurka: race
    thing = made;  // mazurka: race
  }
  found = thing;
  pthread_mutex_unlock(&mutex);
  return found;
}

void* use(void* unused) {
  assert(*get() == 42);  // mazurka: race
  return NULL;
}

int main() {
  both(use, use);
  free(thing);
}
