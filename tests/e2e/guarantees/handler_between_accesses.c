// built with mazurka-c++
// check: verdict=ok
// check --memory=visible: verdict=error findings=assertion
// check -DPLAIN: verdict=ok
// A handler runs between two accesses to memory that are no operations. PLAIN: nobody sees the
// accesses.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile int one, other;
static pthread_t first;

#ifdef PLAIN
#define UNSEEN __attribute__((no_sanitize("thread"), noinline))
#else
#define UNSEEN
#endif

UNSEEN static void change(void) {
  ++one;
  ++other;
}

UNSEEN static void compare(int signal) {
  (void)signal;
  assert(one == other);
}

static void* send(void* unused) {
  pthread_kill(first, SIGUSR1);
  return unused;
}

int main(void) {
  struct sigaction action = {.sa_handler = compare};
  sigaction(SIGUSR1, &action, NULL);
  first = pthread_self();
  pthread_t thread;
  pthread_create(&thread, NULL, send, NULL);
  change();
  pthread_join(thread, NULL);
}
