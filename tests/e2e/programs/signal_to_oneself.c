// expect: verdict=error findings=assertion,crash
// What becomes of a signal that a thread sends to itself depends on what others do before: it ends
// the process, or is handled.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t has_come;

static void handler(int signal) { has_come = signal; }

static void* sender(void* unused) {
  raise(SIGUSR1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, sender, NULL);
  signal(SIGUSR1, handler);
  pthread_join(thread, NULL);
  assert(!has_come);
}
