// check: verdict=incomplete
// check BROKEN: verdict=error findings=assertion
// check NOBODY: verdict=error findings=divergence
// A loop that waits by plain loads lets others move, every time alike. It is named: when it looks
// is not known.
#include <assert.h>
#include <pthread.h>

static volatile int ready;
static int data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* sends(void* unused) {
#ifdef BROKEN
  __atomic_store_n(&ready, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_lock(&mutex);
  data = 1;
  pthread_mutex_unlock(&mutex);
#else
  pthread_mutex_lock(&mutex);
  data = 1;
  pthread_mutex_unlock(&mutex);
#ifndef NOBODY
  __atomic_store_n(&ready, 1, __ATOMIC_SEQ_CST);
#endif
#endif
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_mutex_lock(&mutex);
  pthread_create(&other, NULL, sends, NULL);
  pthread_mutex_unlock(&mutex);
  while (!ready) __asm__ volatile("pause");
  pthread_mutex_lock(&mutex);
  assert(data == 1);
  pthread_mutex_unlock(&mutex);
  pthread_join(other, NULL);
}
