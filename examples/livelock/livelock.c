// Two polite people pass each other in a corridor: each takes one side, and gives it back if the
// other side is taken.
#include <pthread.h>

static pthread_mutex_t sides[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void pass(pthread_mutex_t* first, pthread_mutex_t* second) {
  for (;;) {
    pthread_mutex_lock(first);
    if (pthread_mutex_trylock(second) == 0) break;
    pthread_mutex_unlock(first);
  }
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void* from_left(void* unused) {
  pass(&sides[0], &sides[1]);
  return unused;
}

static void* from_right(void* unused) {
  pass(&sides[1], &sides[0]);
  return unused;
}

int main(void) {
  pthread_t people[2];
  pthread_create(&people[0], NULL, from_left, NULL);
  pthread_create(&people[1], NULL, from_right, NULL);
  pthread_join(people[0], NULL);  // mazurka: livelock
  pthread_join(people[1], NULL);
}
