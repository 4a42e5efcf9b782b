// The example of Stoller's section 6: each thread takes a lock of its own and a common one, reads
// what the common one protects, and writes what its own one protects.
#include <pthread.h>

static pthread_mutex_t common = PTHREAD_MUTEX_INITIALIZER;
static int common_value = 7;

static struct own {
  pthread_mutex_t lock;
  int value;
} owns[2] = {{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};

static void* copy(void* argument) {
  struct own* own = argument;
  pthread_mutex_lock(&own->lock);
  pthread_mutex_lock(&common);
  own->value = common_value;
#ifdef WRITES
  common_value += own == owns ? 1 : 2;
#endif
  pthread_mutex_unlock(&common);
  pthread_mutex_unlock(&own->lock);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, copy, &owns[i]);
#ifdef TRIES
  if (pthread_mutex_trylock(&common) == 0) pthread_mutex_unlock(&common);
#endif
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
