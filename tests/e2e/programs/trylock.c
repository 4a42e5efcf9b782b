// expect: executions=80 transitions=397 verdict=ok
// A trylock fails exactly where the mutex is locked, be it by another thread or its own.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int held, taken;

static void* taker(void* unused) {
  const int error = pthread_mutex_trylock(&mutex);
  assert(error == (held ? EBUSY : 0));
  if (error != 0) return unused;
  held = 1;
  ++taken;
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
  assert(pthread_mutex_unlock(&mutex) == 0);
  held = 0;  // what follows a call belongs to its transition
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) assert(pthread_create(&threads[i], NULL, taker, NULL) == 0);
  taker(NULL);
  for (int i = 0; i < 2; ++i) assert(pthread_join(threads[i], NULL) == 0);
  assert(taken >= 1 && taken <= 3);
}
