// expect: executions=17 transitions=67 verdict=ok
// With SA_RESTART the read goes on after the handler.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

int ends[2];
pthread_t reader;

void handler(int signal) {}

void* sender(void* unused) {
  pthread_kill(reader, SIGUSR1);
  assert(write(ends[1], "x", 1) == 1);
  return unused;
}

int main(void) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  assert(pipe(ends) == 0);
  reader = pthread_self();
  pthread_t thread;
  pthread_create(&thread, NULL, sender, NULL);
  char byte;
  assert(read(ends[0], &byte, 1) == 1);
  pthread_join(thread, NULL);
}
