// expect: executions=834 transitions=4341 verdict=ok
// A broadcast wakes all three waiters, whether they wait already or not yet.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int go, through;

static void* waiter(void* unused) {
  assert(pthread_mutex_lock(&mutex) == 0);
  while (!go) assert(pthread_cond_wait(&condition, &mutex) == 0);
  ++through;
  assert(pthread_mutex_unlock(&mutex) == 0);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) assert(pthread_create(&threads[i], NULL, waiter, NULL) == 0);
  assert(pthread_mutex_lock(&mutex) == 0);
  go = 1;
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_cond_broadcast(&condition) == 0);
  for (int i = 0; i < 3; ++i) assert(pthread_join(threads[i], NULL) == 0);
  assert(through == 3);
  assert(pthread_cond_destroy(&condition) == 0);
  assert(pthread_mutex_destroy(&mutex) == 0);
}
