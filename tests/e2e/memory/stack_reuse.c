// Threads that come after one another may have the same stack: no race. What one shows the other of
// its stack may be one.
// check: verdict=ok
// check BROKEN: verdict=error findings=race
#include <semaphore.h>
#include <stdatomic.h>

#include "parallel.h"

_Atomic(int*) shown;
sem_t is_done;

void fill(int value) {
  volatile int own[64];
  for (int i = 0; i < 64; ++i) own[i] = value;
}

void* comes_and_goes(void* unused) {
  fill(1);
  return NULL;
}

void* shows(void* unused) {
  int own = 0;  // mazurka: race
  shown = &own;
#ifdef BROKEN
  own = 2;  // mazurka: race
#endif
  sem_wait(&is_done);
  fill(own);
  return NULL;
}

void* looks(void* unused) {
  int* other;
  while ((other = shown) == NULL) {
  }
  *(volatile int*)other = 1;  // mazurka: race
  sem_post(&is_done);
  fill(2);
  return NULL;
}

int main() {
  sem_init(&is_done, 0, 0);
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  for (int i = 0; i < 2; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, comes_and_goes, NULL);
    pthread_join(thread, NULL);
    pthread_create(&thread, &detached, comes_and_goes, NULL);
  }
  both(shows, looks);
}
