// expect: verdict=error findings=misuse
// Only in some schedules: the other thread holds the mutex when this one unlocks it.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* locker(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, locker, NULL);
  if (pthread_mutex_trylock(&mutex) != 0)
    pthread_mutex_unlock(&mutex);  // mazurka: misuse
  else
    pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
}
