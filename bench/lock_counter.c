// Threads that each lock and unlock one mutex: lock_counter THREADS ROUNDS. There are
// (THREADS * ROUNDS)! / (ROUNDS!)^THREADS orders.
#include <pthread.h>
#include <stdlib.h>

enum { kMost = 16 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int rounds = 1;

static void* count(void* nothing) {
  for (int i = 0; i < rounds; ++i) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return nothing;
}

int main(int argc, char** argv) {
  const int threads = argc > 1 ? atoi(argv[1]) : 2;
  if (argc > 2) rounds = atoi(argv[2]);
  if (threads < 1 || threads > kMost) return 2;
  pthread_t started[kMost];
  for (int i = 0; i < threads; ++i) pthread_create(&started[i], NULL, count, NULL);
  for (int i = 0; i < threads; ++i) pthread_join(started[i], NULL);
}
