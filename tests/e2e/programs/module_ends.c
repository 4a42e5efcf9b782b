// expect: executions=4 verdict=error reset=in-place findings=assertion
// Destructors of the program run after its exit handlers, in their order, and what they do is seen.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ends;

static void* use(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void at_exit(void) { assert(ends++ == 0); }
__attribute__((destructor(102))) static void earlier(void) { assert(ends++ == 1); }
__attribute__((destructor(101))) static void later(void) {
  assert(ends != 2);  // mazurka: assertion
}

int main(void) {
  atexit(at_exit);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, use, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
