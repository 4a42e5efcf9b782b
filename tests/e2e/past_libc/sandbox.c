// What would hold for Mazurka's own calls as well is not done, and named; so is a call of 32 bits.
// Handlers and masks of SIGSYS are the program's own.
// check: verdict=ok
// check FILTER: verdict=incomplete says=accepted_and_not_applied
// check FILTER_CALL: verdict=incomplete says=accepted_and_not_applied
// check DISPATCH: verdict=incomplete says=PR_SET_SYSCALL_USER_DISPATCH_(refused)
// check DEATH: verdict=incomplete says=PR_SET_PDEATHSIG
// check OLD: verdict=incomplete says=a_32-bit_system_call
// check BUG: verdict=error findings=deadlock
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "calls.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int handled;

static void on_signal(int number) {
  (void)number;
  ++handled;
#ifdef BUG
  pthread_mutex_lock(&mutex);
#endif
}

static void* pass(void* unused) {
  pthread_mutex_lock(&mutex);
  CALL(SYS_getppid, 0, 0, 0);
  pthread_mutex_unlock(&mutex);
  return unused;
}

// Whatever is done to SIGSYS, calls are seen.
static void change_signals(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, 0);
  pass(0);
  signal(SIGSYS, SIG_IGN);
  pass(0);
  signal(SIGSYS, SIG_DFL);
  pass(0);
  sigprocmask(SIG_UNBLOCK, &all, 0);
}

int main(void) {
  struct sock_filter kill[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};
  const struct sock_fprog filter = {1, kill};
  const struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGSYS, &action, 0);
  pthread_t thread;
  pthread_create(&thread, 0, pass, 0);
  pthread_mutex_lock(&mutex);
  raise(SIGSYS);
  pthread_mutex_unlock(&mutex);
#if defined(FILTER)
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) return 2;
#elif defined(FILTER_CALL)
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) != 0) return 2;
#elif defined(DISPATCH)
  if (prctl(PR_SET_SYSCALL_USER_DISPATCH, 0, 0, 0, 0) != -1 || errno != EINVAL) return 2;
#elif defined(DEATH)
  if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0) return 2;
#elif defined(OLD)
  long result;
  __asm__ volatile("int $0x80"
                   : "=a"(result)
                   : "0"(24 /* getuid, of 16 bits */)
                   : "memory", "r8", "r9", "r10", "r11");
#endif
  (void)filter;
  change_signals();
  pthread_join(thread, 0);
  return handled == 1 ? 0 : 3;
}
