// Which lock a thread's second critical section takes depends on what it has seen in the first one:
// what its transition accesses is known from the lock, not from its number.
#include <pthread.h>

static pthread_mutex_t deciding = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static long way, in_left, in_right;  // a word each

static void count(pthread_mutex_t* lock, long* counter) {
  pthread_mutex_lock(lock);
  ++*counter;
  pthread_mutex_unlock(lock);
}

static void* goes_one_way(void* unused) {
  pthread_mutex_lock(&deciding);
  const long mine = way;
  pthread_mutex_unlock(&deciding);
  for (int i = 0; i < 2; ++i) mine ? count(&left, &in_left) : count(&right, &in_right);
  return unused;
}

static void* opens_left(void* unused) {
  count(&deciding, &way);
  return unused;
}

static void* goes_right(void* unused) {
  for (int i = 0; i < 2; ++i) count(&right, &in_right);
  return unused;
}

static void* goes_left(void* unused) {
  for (int i = 0; i < 2; ++i) count(&left, &in_left);
  return unused;
}

int main(void) {
  void* (*const bodies[])(void*) = {goes_one_way, opens_left, goes_right, goes_left};
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, bodies[i], NULL);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  return 0;
}
