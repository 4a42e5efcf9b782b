// expect: verdict=error findings=misuse
// Two threads wait on one condition with different mutexes.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void* waiter(void* mutex) {
  pthread_mutex_lock(mutex);
  pthread_cond_wait(&condition, mutex);  // mazurka: misuse
  pthread_mutex_unlock(mutex);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, &mutexes[0]);
  waiter(&mutexes[1]);
}
