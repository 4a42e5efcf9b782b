// Readers and one writer of a reader-writer lock: readers_and_writer READERS
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { kMost = 16 };

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int written;

static void* read_it(void* seen) {
  pthread_rwlock_rdlock(&lock);
  *(int*)seen = written;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

static void* write_it(void* nothing) {
  pthread_rwlock_wrlock(&lock);
  written = 1;
  pthread_rwlock_unlock(&lock);
  return nothing;
}

int main(int argc, char** argv) {
  const int readers = argc > 1 ? atoi(argv[1]) : 2;
  pthread_t threads[kMost + 1];
  int seen[kMost];
  if (readers < 1 || readers > kMost) return 2;
  for (int i = 0; i < readers; ++i) pthread_create(&threads[i], NULL, read_it, &seen[i]);
  pthread_create(&threads[readers], NULL, write_it, NULL);
  for (int i = 0; i <= readers; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < readers; ++i) assert(seen[i] == 0 || seen[i] == 1);
  return 0;
}
