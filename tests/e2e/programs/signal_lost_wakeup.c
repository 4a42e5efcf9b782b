// expect: executions=6 transitions=20 verdict=error findings=deadlock
// The signal may come between the test of the flag and the pause: nobody wakes it then.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

volatile sig_atomic_t has_come;
pthread_t waiter;

void handler(int signal) { has_come = signal; }

void* sender(void* unused) {
  pthread_kill(waiter, SIGUSR1);
  return unused;
}

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGUSR1, &action, NULL);
  waiter = pthread_self();
  pthread_t thread;
  pthread_create(&thread, NULL, sender, NULL);
  if (!has_come) pause();  // mazurka: deadlock
  pthread_join(thread, NULL);
}
