// expect: executions=4 verdict=error reset=in-place findings=assertion
// A library of the program has a destructor, which runs after those of the program itself.
#include <assert.h>
#include <pthread.h>

extern int ends_before_library;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* use(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

__attribute__((destructor)) static void end(void) { assert(ends_before_library++ == 0); }

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, use, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
