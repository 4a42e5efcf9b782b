// check: verdict=ok
// check --spurious: verdict=ok
// check --spurious=2: verdict=ok
// check --spurious -DLOST: verdict=error findings=deadlock
// A loop guards the wait, so that it does not matter. LOST: nobody signals, which no spurious
// wake-up may hide.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool is_ready;

static void* make_ready(void* unused) {
  pthread_mutex_lock(&lock);
  is_ready = true;
#ifndef LOST
  pthread_cond_broadcast(&changed);
#endif
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* await(void* unused) {
  pthread_mutex_lock(&lock);
  while (!is_ready) pthread_cond_wait(&changed, &lock);
  assert(is_ready);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t waiter;
  pthread_t maker;
  pthread_create(&waiter, NULL, await, NULL);
  pthread_create(&maker, NULL, make_ready, NULL);
  await(NULL);
  pthread_join(waiter, NULL);
  pthread_join(maker, NULL);
}
