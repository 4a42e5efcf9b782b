// check: verdict=ok
// check -DFAILS: verdict=error findings=assertion
// check -DHANDLED: verdict=ok
// check -DCRASHES: verdict=error findings=crash
// The time stamp counter is the thread's virtual clock: it is the same in each run, and never goes
// back. HANDLED: a handler for faults of the program's own is not called for it, but for real ones,
// once.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <x86intrin.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#ifdef HANDLED
static sigjmp_buf before;
static void leave(int signal) {
  (void)signal;
  siglongjmp(before, 1);
}
#endif

static void* look(void* unused) {
  unsigned processor = 7;
  const unsigned long long first = __rdtsc();
  pthread_mutex_lock(&lock);
  const unsigned long long second = __rdtscp(&processor);
  pthread_mutex_unlock(&lock);
  assert(second > first && processor == 0);
#ifdef FAILS
  assert(second == 0);
#endif
  return unused;
}

int main(void) {
#ifdef HANDLED
  struct sigaction action = {.sa_handler = leave, .sa_flags = (int)SA_RESETHAND};
  sigaction(SIGSEGV, &action, NULL);
#endif
  pthread_t thread;
  pthread_create(&thread, NULL, look, NULL);
  look(NULL);
  pthread_join(thread, NULL);
#ifdef HANDLED
  if (sigsetjmp(before, 1) == 0) *(volatile int*)NULL = 1;
#endif
#ifdef CRASHES
  *(volatile int*)NULL = 1;
#endif
}
