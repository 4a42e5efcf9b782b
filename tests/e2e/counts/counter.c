// Threads that count together under one mutex: counter THREADS ROUNDS
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { kMost = 16 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int rounds;
static int count;

static void* add(void* nothing) {
  for (int i = 0; i < rounds; ++i) {
    pthread_mutex_lock(&mutex);
    ++count;
    pthread_mutex_unlock(&mutex);
  }
  return nothing;
}

int main(int argc, char** argv) {
  const int number = argc > 2 ? atoi(argv[1]) : 0;
  pthread_t threads[kMost];
  if (number < 1 || number > kMost) return 2;
  rounds = atoi(argv[2]);
  for (int i = 0; i < number; ++i) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < number; ++i) pthread_join(threads[i], NULL);
  assert(count == number * rounds);
  return 0;
}
