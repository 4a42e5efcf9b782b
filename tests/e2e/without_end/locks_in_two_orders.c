// expect: exit=1 finding=deadlock
// Both threads go on for ever, and a few steps are enough for the deadlock.
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t* first, pthread_mutex_t* second) {
  for (;;) {
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
  }
}

static void* one(void* unused) {
  take(&left, &right);
  return unused;
}

static void* other(void* unused) {
  take(&right, &left);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, one, NULL);
  pthread_create(&threads[1], NULL, other, NULL);
  pthread_join(threads[0], NULL);
}
