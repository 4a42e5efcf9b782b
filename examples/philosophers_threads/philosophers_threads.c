// Dining philosophers as threads, with a mutex for each fork: philosophers_threads [NUMBER] [heap]
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 100 };
static int number = 3;
static pthread_mutex_t table[kMost];
static pthread_mutex_t* forks = table;

static void* philosopher(void* place) {
  pthread_mutex_t* left = place;
  pthread_mutex_t* right = &forks[(left - forks + 1) % number];
  pthread_mutex_lock(left);
  pthread_mutex_lock(right);  // mazurka: deadlock
  pthread_mutex_unlock(left);
  pthread_mutex_unlock(right);
  return NULL;
}

int main(int argc, char** argv) {
  if (argc > 1) number = atoi(argv[1]);
  if (number < 1 || number > kMost) {
    fprintf(stderr, "usage: philosophers_threads [1..%d] [heap]\n", kMost);
    return 2;
  }
  if (argc > 2 && strcmp(argv[2], "heap") == 0) forks = malloc((size_t)number * sizeof *forks);
  for (int i = 0; i < number; ++i) pthread_mutex_init(&forks[i], NULL);
  pthread_t threads[kMost];
  for (int i = 0; i < number; ++i) pthread_create(&threads[i], NULL, philosopher, &forks[i]);
  for (int i = 0; i < number; ++i) pthread_join(threads[i], NULL);
}
