// expect: verdict=ok executions=6
// Each draw and each seed in view of others is an operation; two kinds of generators have nothing
// to do with each other, nor with those of other processes, and what one thread does alone is none.
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void* draws(void* unused) {
  (void)unused;
  (void)random();
  (void)rand();
  return NULL;
}

static void* seeds(void* unused) {
  (void)unused;
  srandom(7);
  srand(7);
  return NULL;
}

static void* other(void* unused) {
  (void)unused;
  srand48(3);
  (void)drand48();
  (void)lrand48();
  (void)mrand48();
  return NULL;
}

int main(void) {
  char room[64];
  initstate(4, room, sizeof room);
  for (int i = 0; i < 100; ++i) (void)rand();
  void* (*const parts[])(void*) = {draws, seeds, other};
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, parts[i], NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return 0;
}
