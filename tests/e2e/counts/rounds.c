// Threads that meet at a barrier, round after round: rounds THREADS ROUNDS
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { kMost = 16 };

static pthread_barrier_t barrier;
static int number;
static int rounds;
static int at[kMost];  // the round that each thread is in; only itself writes it

static void* walk(void* place) {
  int* mine = place;
  for (int i = 0; i < rounds; ++i) {
    *mine = i + 1;
    pthread_barrier_wait(&barrier);
    for (int j = 0; j < number; ++j) assert(at[j] == i + 1 || at[j] == i + 2);
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[kMost];
  number = argc > 2 ? atoi(argv[1]) : 0;
  if (number < 1 || number > kMost) return 2;
  rounds = atoi(argv[2]);
  pthread_barrier_init(&barrier, NULL, (unsigned)number);
  for (int i = 0; i < number; ++i) pthread_create(&threads[i], NULL, walk, &at[i]);
  for (int i = 0; i < number; ++i) pthread_join(threads[i], NULL);
  return 0;
}
