// micro_c TIMES: two threads, lock, x++, unlock. Each of the TIMES first outcomes has two orders.
#include <pthread.h>

#include "micro.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void* add(void* nothing) {
  pthread_mutex_lock(&mutex);
  x++;
  pthread_mutex_unlock(&mutex);
  return nothing;
}

int main(int argc, char** argv) {
  repeat(argc > 1 ? argv[1] : "1");
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
