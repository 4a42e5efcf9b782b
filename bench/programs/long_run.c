// long_run TRANSITIONS TIMES: two threads, each with a mutex of its own, make about so many
// transitions: one order, TIMES times.
#include <pthread.h>

#include "micro.h"

static int rounds;

static void* lock_and_unlock(void* mutex) {
  for (int i = 0; i < rounds; ++i) {
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
  }
  return NULL;
}

int main(int argc, char** argv) {
  rounds = (argc > 1 ? atoi(argv[1]) : 10) / 4;
  repeat(argc > 2 ? argv[2] : "1");
  static pthread_mutex_t mutexes[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, lock_and_unlock, &mutexes[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
