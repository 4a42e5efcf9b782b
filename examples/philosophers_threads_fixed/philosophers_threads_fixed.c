// Dining philosophers as threads, with a mutex for each fork: philosophers_threads_fixed [NUMBER]
// [heap]
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 100 };
static int number = 3;
static pthread_mutex_t table[kMost];
static pthread_mutex_t* forks = table;

static void* philosopher(void* place) {
  pthread_mutex_t* first = place;
  pthread_mutex_t* second = &forks[(first - forks + 1) % number];
  if (second < first) {  // the last one takes the forks the other way round
    first = second;
    second = place;
  }
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(first);
  pthread_mutex_unlock(second);
  return NULL;
}

int main(int argc, char** argv) {
  if (argc > 1) number = atoi(argv[1]);
  if (number < 1 || number > kMost) {
    fprintf(stderr, "usage: philosophers_threads_fixed [1..%d] [heap]\n", kMost);
    return 2;
  }
  if (argc > 2 && strcmp(argv[2], "heap") == 0) forks = malloc((size_t)number * sizeof *forks);
  for (int i = 0; i < number; ++i) pthread_mutex_init(&forks[i], NULL);
  pthread_t threads[kMost];
  for (int i = 0; i < number; ++i) pthread_create(&threads[i], NULL, philosopher, &forks[i]);
  for (int i = 0; i < number; ++i) pthread_join(threads[i], NULL);
}
