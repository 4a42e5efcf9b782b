// readers READERS: each takes a reader-writer lock once, and one writer does. 2 to the power of
// READERS orders: readers commute.
#include <pthread.h>
#include <stdlib.h>

enum { kMost = 32 };
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void* read_it(void* nothing) {
  pthread_rwlock_rdlock(&lock);
  const int seen = value;
  pthread_rwlock_unlock(&lock);
  return seen < 0 ? NULL : nothing;
}

int main(int argc, char** argv) {
  const int readers = argc > 1 ? atoi(argv[1]) : 2;
  if (readers < 1 || readers > kMost) return 2;
  pthread_t threads[kMost];
  for (int i = 0; i < readers; ++i) pthread_create(&threads[i], NULL, read_it, NULL);
  pthread_rwlock_wrlock(&lock);
  value = 1;
  pthread_rwlock_unlock(&lock);
  for (int i = 0; i < readers; ++i) pthread_join(threads[i], NULL);
}
