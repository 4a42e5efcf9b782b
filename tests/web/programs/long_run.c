// Many steps, or many threads: long_run THREADS ROUNDS. Each round is a lock and an unlock.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int rounds;
static long total;

static void* work(void* unused) {
  (void)unused;
  for (int i = 0; i < rounds; ++i) {
    pthread_mutex_lock(&lock);
    ++total;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 2;
  rounds = argc > 2 ? atoi(argv[2]) : 10;
  pthread_t* all = calloc((size_t)threads, sizeof *all);
  for (int i = 0; i < threads; ++i) pthread_create(&all[i], NULL, work, NULL);
  for (int i = 0; i < threads; ++i) pthread_join(all[i], NULL);
  printf("total %ld\n", total);
  free(all);
}
