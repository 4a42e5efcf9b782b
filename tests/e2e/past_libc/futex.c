// Waits until a word is set. BUG: looks at the word again, and so may wait for a change that has
// been.
// check: verdict=ok
// check BUG: verdict=error findings=deadlock
#include <linux/futex.h>
#include <pthread.h>

#include "calls.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int word;

static int look(void) {
  pthread_mutex_lock(&mutex);
  const int seen = word;
  pthread_mutex_unlock(&mutex);
  return seen;
}

static void* set(void* unused) {
  pthread_mutex_lock(&mutex);
  word = 1;
  pthread_mutex_unlock(&mutex);
  CALL(SYS_futex, &word, FUTEX_WAKE, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  int seen = look();
#ifdef BUG
  if (seen == 0) seen = look();
  CALL(SYS_futex, &word, FUTEX_WAIT, seen);
#else
  if (seen == 0) CALL(SYS_futex, &word, FUTEX_WAIT, 0);
#endif
  pthread_join(thread, 0);
  return 0;
}
