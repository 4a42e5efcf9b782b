// expect: executions=1 verdict=ok
// What POSIX says about handlers, masks and jumps, by one thread: there is nothing to choose.
#include <assert.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t calls, deepest, depth, value;
static sigjmp_buf back;

static sigset_t set_of(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  return set;
}

static int is_blocked(int signal) {
  sigset_t now;
  assert(sigprocmask(SIG_BLOCK, NULL, &now) == 0);
  return sigismember(&now, signal);
}

static void nests(int signal) {
  ++calls;
  deepest = ++depth > deepest ? depth : deepest;
  if (calls < 3) assert(raise(signal) == 0);
  --depth;
}

static void looks(int signal, siginfo_t* info, void* context) {
  assert(info->si_signo == signal && context != NULL && info->si_pid == getpid());
  assert(is_blocked(signal) && is_blocked(SIGUSR2));
  value = info->si_code == SI_QUEUE ? info->si_value.sival_int : -1;
}

static void jumps(int signal) { siglongjmp(back, signal); }

static void set_handler(int signal, void (*handler)(int), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = flags;
  assert(sigaction(signal, &action, NULL) == 0);
}

int main(void) {
  // Blocked in its own handler: taken again when that returns, and only once for two.
  set_handler(SIGUSR1, nests, 0);
  assert(raise(SIGUSR1) == 0 && calls == 3 && deepest == 1);
  calls = deepest = 0;
  set_handler(SIGUSR1, nests, SA_NODEFER);
  assert(kill(getpid(), SIGUSR1) == 0 && calls == 3 && deepest == 3);

  set_handler(SIGUSR1, nests, SA_RESETHAND);
  calls = 5;
  struct sigaction now;
  assert(raise(SIGUSR1) == 0 && calls == 6);
  assert(sigaction(SIGUSR1, NULL, &now) == 0 && now.sa_handler == SIG_DFL);

  struct sigaction with_info;
  memset(&with_info, 0, sizeof with_info);
  with_info.sa_sigaction = looks;
  with_info.sa_flags = SA_SIGINFO;
  sigaddset(&with_info.sa_mask, SIGUSR2);
  assert(sigaction(SIGUSR1, &with_info, NULL) == 0);
  assert(sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 42}) == 0 && value == 42);
  assert(raise(SIGUSR1) == 0 && value == -1 && !is_blocked(SIGUSR1) && !is_blocked(SIGUSR2));

  // Pending while blocked; taken when it is not any more.
  sigset_t usr1 = set_of(SIGUSR1), pending, old;
  assert(sigprocmask(SIG_BLOCK, &usr1, &old) == 0 && raise(SIGUSR1) == 0 && raise(SIGUSR1) == 0);
  value = 0;
  assert(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1) && value == 0);
  assert(sigprocmask(SIG_SETMASK, &old, NULL) == 0 && value == -1);
  assert(sigpending(&pending) == 0 && !sigismember(&pending, SIGUSR1));

  // A jump out of a handler gives the mask back.
  set_handler(SIGUSR1, jumps, 0);
  volatile int rounds = 0;
  if (sigsetjmp(back, 1) < 0) assert(0);
  if (++rounds < 3) raise(SIGUSR1);
  assert(rounds == 3 && !is_blocked(SIGUSR1));

  // Queued ones come in their order, with what was sent along.
  sigset_t queued = set_of(SIGRTMIN);
  siginfo_t info;
  assert(sigprocmask(SIG_BLOCK, &queued, NULL) == 0);
  for (int i = 1; i <= 2; ++i)
    assert(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i}) == 0);
  for (int i = 1; i <= 2; ++i)
    assert(sigwaitinfo(&queued, &info) == SIGRTMIN && info.si_value.sival_int == i);
  struct timespec at_once = {0, 0};
  assert(sigtimedwait(&queued, &info, &at_once) == -1 && errno == EAGAIN);

  // Ignored, and what cannot be.
  assert(signal(SIGUSR2, SIG_IGN) == SIG_DFL && raise(SIGUSR2) == 0 &&
         signal(SIGUSR2, SIG_DFL) == SIG_IGN);
  assert(signal(SIGKILL, SIG_IGN) == SIG_ERR && errno == EINVAL);
  assert(kill(getpid(), 65) == -1 && errno == EINVAL && raise(SIGCHLD) == 0);
}
