// expect: verdict=error findings=deadlock,misuse
// A condition is destroyed while a thread waits on it. If that thread comes later, it waits for
// ever on what is no more, which is a misuse as well; if the destroyer is never called, nobody
// wakes the waiter.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void* waiter(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&condition, &mutex);  // mazurka: misuse
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  if (pthread_mutex_trylock(&mutex) == 0) {
    pthread_mutex_unlock(&mutex);
    pthread_cond_destroy(&condition);  // mazurka: misuse
  }
  pthread_join(thread, NULL);
}
