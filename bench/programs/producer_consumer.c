// producer_consumer ITEMS: two producers and two consumers, ITEMS each, a buffer with room for one,
// two condition variables.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int items = 1;
static int full;

static void* produce(void* nothing) {
  for (int i = 0; i < items; ++i) {
    pthread_mutex_lock(&mutex);
    while (full) pthread_cond_wait(&not_full, &mutex);
    full = 1;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
  }
  return nothing;
}

static void* consume(void* nothing) {
  for (int i = 0; i < items; ++i) {
    pthread_mutex_lock(&mutex);
    while (!full) pthread_cond_wait(&not_empty, &mutex);
    full = 0;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&mutex);
  }
  return nothing;
}

int main(int argc, char** argv) {
  if (argc > 1) items = atoi(argv[1]);
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, i % 2 ? consume : produce, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
}
