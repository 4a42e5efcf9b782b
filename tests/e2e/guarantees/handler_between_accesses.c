// built with mazurka-c++
// check: verdict=ok
// check --memory=visible: verdict=error findings=assertion
// A handler runs between two accesses to memory that are no operations.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile int one, other;
static pthread_t first;

static void compare(int signal) {
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
  ++one;
  ++other;
  pthread_join(thread, NULL);
}
