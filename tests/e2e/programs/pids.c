// expect: executions=2 transitions=34 verdict=ok
// Processes know each other by the same numbers, in every execution; a signal to oneself arrives
// before kill returns.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t signals;
static volatile pid_t sender;
static volatile int payload;

static void handler(int number, siginfo_t* info, void* context) {
  (void)number;
  (void)context;
  ++signals;
  sender = info->si_pid;
  payload = info->si_value.sival_int;
}

static void* thread(void* unused) {
  assert(gettid() != getpid());
  return unused;
}

int main(void) {
  pid_t* known =
      mmap(NULL, sizeof *known, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const pid_t self = getpid();
  assert(gettid() == self && getpgrp() == getpgid(0) && getsid(0) > 0);
  const pid_t child = fork();
  if (child == 0) {
    assert(getppid() == self && getpid() != self && gettid() == getpid());
    assert(kill(self, 0) == 0);
    assert(getpgrp() != getpid() && setsid() == getpid() && getpgrp() == getpid());
    *known = getpid();
    _exit(0);
  }
  assert(kill(child, 0) == 0);
  assert(waitpid(child, NULL, 0) == child && *known == child);
  assert(kill(child, 0) == -1 && errno == ESRCH);

  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  assert(sigaction(SIGUSR1, &action, NULL) == 0);
  assert(kill(self, SIGUSR1) == 0 && signals == 1 && sender == self);
  assert(raise(SIGUSR1) == 0 && signals == 2);
  assert(pthread_kill(pthread_self(), SIGUSR1) == 0 && signals == 3);
  assert(tgkill(self, gettid(), SIGUSR1) == 0 && signals == 4);
  assert(sigqueue(self, SIGUSR1, (union sigval){.sival_int = 17}) == 0 && signals == 5 &&
         payload == 17);
  assert(kill(self, 65) == -1 && errno == EINVAL);

  pthread_t other;
  assert(pthread_create(&other, NULL, thread, NULL) == 0 && pthread_join(other, NULL) == 0);
  return 0;
}
