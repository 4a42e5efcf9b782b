// expect: executions=4 transitions=19 verdict=ok
// A thread that ends inside a once routine leaves it undone: the next one runs it again.
#include <assert.h>
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int runs;

static void routine(void) {
  if (++runs == 1) pthread_exit(NULL);
}

static void* thread_main(void* unused) {
  assert(pthread_once(&control, routine) == 0);
  assert(runs == 2);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) assert(pthread_create(&threads[i], NULL, thread_main, NULL) == 0);
  for (int i = 0; i < 2; ++i) assert(pthread_join(threads[i], NULL) == 0);
  assert(runs == 2);
}
