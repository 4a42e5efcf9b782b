// check: verdict=incomplete
// check NOBODY: verdict=error findings=deadlock
// A loop at a locked instruction that also reads a plain word goes on when that changes, too. Such
// a word is named: when others wrote it before the loop read it is not known.
#include <pthread.h>

static int word = 1;
static volatile int stop;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int try_lock(void) {
  int one = 1;
  __asm__ volatile("xchg %0, %1" : "+r"(one), "+m"(word)::"memory");
  return !one;
}

static void* waits(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  while (!try_lock() && !stop) {
  }
  return unused;
}

static void* stops(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
#ifndef NOBODY
  stop = 1;
#endif
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, waits, NULL);
  pthread_create(&threads[1], NULL, stops, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
