// expect: executions=1 transitions=6 verdict=incomplete
// Waits for what is pending already. Cancelling has no model: it works as far as it can, and is
// named.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
  int got = 0, old = -1;
  assert(raise(SIGUSR1) == 0 && sigwait(&set, &got) == 0 && got == SIGUSR1);
  siginfo_t info;
  assert(raise(SIGUSR1) == 0 && sigwaitinfo(&set, &info) == SIGUSR1 && info.si_signo == SIGUSR1);
  struct timespec none = {0, 0};
  assert(sigtimedwait(&set, &info, &none) == -1 && errno == EAGAIN);
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
  assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
  assert(pthread_cancel(pthread_self()) == 0);
  pthread_testcancel();
}
