/* Two threads add to a sum under one lock. The order of the additions does not matter, but only the
 * user knows that. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void add(int amount) { sum += amount; }

static void* work(void* amount) {
  pthread_mutex_lock(&lock);
  add((int)(long)amount);
  pthread_mutex_unlock(&lock);
#ifdef LOOKS
  pthread_mutex_lock(&lock);
  int seen = sum;
  pthread_mutex_unlock(&lock);
  assert(seen != 2); /* fails where the other one came first */
#endif
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, (void*)(i + 1));
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  assert(sum == 3);
  return 0;
}
