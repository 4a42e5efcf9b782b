// expect: executions=2 transitions=9 verdict=ok
// The same without the gap: what is blocked is taken in sigsuspend, and nowhere else.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>

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
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  waiter = pthread_self();
  pthread_t thread;
  pthread_create(&thread, NULL, sender, NULL);
  while (!has_come) assert(sigsuspend(&before) == -1 && errno == EINTR);
  pthread_join(thread, NULL);
}
