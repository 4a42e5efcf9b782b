// check: verdict=error findings=assertion executions=6
// check FIXED: verdict=ok locked=yes executions=2 off=ok
// Each of the two is atomic; together they are not.
#include <assert.h>
#include <pthread.h>

static int counter;

static void* adds(void* unused) {
#ifdef FIXED
  __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
#else
  const int seen = __atomic_fetch_add(&counter, 0, __ATOMIC_RELAXED);
  __atomic_exchange_n(&counter, seen + 1, __ATOMIC_RELAXED);
#endif
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, adds, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(__atomic_fetch_add(&counter, 0, __ATOMIC_RELAXED) == 2);
}
