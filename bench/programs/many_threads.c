// many_threads THREADS TIMES: THREADS threads lock one mutex of their own each; one order, TIMES
// times.
#include <pthread.h>

#include "micro.h"

enum { kMost = 500 };
static pthread_mutex_t mutexes[kMost];

static void* lock_own(void* mutex) {
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
  return NULL;
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 100;
  if (count < 1 || count > kMost) return 2;
  repeat(argc > 2 ? argv[2] : "1");
  pthread_t threads[kMost];
  for (int i = 0; i < count; ++i) pthread_create(&threads[i], NULL, lock_own, &mutexes[i]);
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
}
