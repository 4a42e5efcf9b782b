// check: verdict=error findings=assertion
// check -DALARM: verdict=error findings=assertion
// check -DBLOCKED: verdict=ok
// check -DDEADLY: verdict=incomplete
// check -DDEADLY -DGOES_ON: verdict=error findings=crash
// DEADLY: it ends the process, unless its thread has ended.
// The signal comes when its thread has no further operation, while it computes.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static sem_t is_ready;
static sem_t is_over;
static volatile sig_atomic_t has_come;

static void note(int signal) { has_come = signal; }

static void* compute(void* unused) {
#ifdef BLOCKED
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
#endif
  sem_post(&is_ready);
  for (volatile int i = 0; i < 1000; ++i) {
  }
#ifdef GOES_ON
  sem_post(&is_over);
#endif
  return unused;
}

int main(void) {
#ifndef DEADLY
  struct sigaction action = {.sa_handler = note};
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGALRM, &action, NULL);
#endif
  sem_init(&is_ready, 0, 0);
  sem_init(&is_over, 0, 0);
#ifdef ALARM
  ualarm(1000, 0);
  compute(NULL);
#else
  pthread_t thread;
  pthread_create(&thread, NULL, compute, NULL);
  sem_wait(&is_ready);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, NULL);
#endif
  assert(!has_come);
}
