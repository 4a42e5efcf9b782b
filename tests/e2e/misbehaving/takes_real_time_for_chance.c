// Does something else on each run: which mutex it locks depends on the processor's own clock.
#include <pthread.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void* thread(void* unused) {
  pthread_mutex_t* mutex = &mutexes[__builtin_ia32_rdtsc() / 64 % 2];
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
  return unused;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, thread, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  return 0;
}
