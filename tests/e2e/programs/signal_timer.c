// expect: executions=4 transitions=34 verdict=ok
// When an alarm goes off is open: before the toss, before it is cancelled, or not at all.
#include <assert.h>
#include <errno.h>
#include <mazurka/mazurka.h>
#include <signal.h>
#include <unistd.h>

volatile sig_atomic_t alarms;

void handler(int signal) { ++alarms; }

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGALRM, &action, NULL);
  alarm(1);
  mz_toss(0);
  const unsigned left = alarm(0);
  assert(alarms == (left == 0));
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGALRM);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  alarm(1);
  assert(sigsuspend(&before) == -1 && errno == EINTR);
  assert(alarms == 1 + (left == 0));
}
