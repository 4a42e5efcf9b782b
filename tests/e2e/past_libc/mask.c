// A handler and main both use a lock, so the signal is blocked meanwhile. BUG: the other way round.
// check: verdict=ok
// check BUG: verdict=error findings=deadlock
#include <pthread.h>
#include <signal.h>

#include "calls.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t first;

static void on_signal(int number) {
  (void)number;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

static void* send(void* unused) {
  pthread_kill(first, SIGUSR1);
  return unused;
}

static void change(int how) {
  const unsigned long set = 1ul << (SIGUSR1 - 1);
  call6(SYS_rt_sigprocmask, how, (long)&set, 0, sizeof set, 0, 0);
}

int main(void) {
  first = pthread_self();
  signal(SIGUSR1, on_signal);
  pthread_t thread;
  pthread_create(&thread, 0, send, 0);
#ifdef BUG
  change(SIG_UNBLOCK);
#else
  change(SIG_BLOCK);
#endif
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  change(SIG_UNBLOCK);
  pthread_join(thread, 0);
  return 0;
}
