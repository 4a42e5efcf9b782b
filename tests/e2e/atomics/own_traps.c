// check: verdict=ok locked=yes
// A program with traps and a handler of its own, which blocks and unsets what it likes.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static int traps, counter;
static void count(int signal) { traps += signal == SIGTRAP; }

static void* adds(void* unused) {
  __asm__ volatile("lock; incl %0" : "+m"(counter)::"memory", "cc");
  return unused;
}

int main(void) {
  struct sigaction action = {.sa_handler = count};
  sigfillset(&action.sa_mask);
  sigaction(SIGTRAP, &action, NULL);
  pthread_t other;
  pthread_create(&other, NULL, adds, NULL);
  __asm__ volatile("int3");
  adds(NULL);
  signal(SIGTRAP, SIG_DFL);
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  adds(NULL);
  pthread_join(other, NULL);
  assert(traps == 1 && counter == 3);
}
