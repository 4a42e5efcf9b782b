// Each thread counts for itself, and then adds to the sum of all.
#include <pthread.h>

static int steps[2];
static int sum;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* count(void* arg) {
  const long me = (long)arg;
  for (int i = 0; i < 3; ++i) steps[me]++;
  pthread_mutex_lock(&mutex);
  sum += steps[me];
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, count, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return sum != 6;
}
