// As many producers as consumers, one place for an item, a mutex and two conditions; each makes or
// takes so many items: producer_consumer PAIRS ITEMS
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { kMost = 8 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
static int items;
static int full;

static void* produce(void* nothing) {
  for (int i = 0; i < items; ++i) {
    pthread_mutex_lock(&mutex);
    while (full) pthread_cond_wait(&emptied, &mutex);
    full = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
  }
  return nothing;
}

static void* consume(void* nothing) {
  for (int i = 0; i < items; ++i) {
    pthread_mutex_lock(&mutex);
    while (!full) pthread_cond_wait(&filled, &mutex);
    full = 0;
    pthread_cond_signal(&emptied);
    pthread_mutex_unlock(&mutex);
  }
  return nothing;
}

int main(int argc, char** argv) {
  const int pairs = argc > 2 ? atoi(argv[1]) : 0;
  pthread_t threads[2 * kMost];
  if (pairs < 1 || pairs > kMost) return 2;
  items = atoi(argv[2]);
  for (int i = 0; i < pairs; ++i) pthread_create(&threads[i], NULL, produce, NULL);
  for (int i = pairs; i < 2 * pairs; ++i) pthread_create(&threads[i], NULL, consume, NULL);
  for (int i = 0; i < 2 * pairs; ++i) pthread_join(threads[i], NULL);
  assert(!full);
  return 0;
}
