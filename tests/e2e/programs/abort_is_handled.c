// expect: executions=1 verdict=error findings=crash
// abort unblocks its signal and runs the handler; that this returns does not save the process. One
// that jumps away does.
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static jmp_buf away;
static volatile sig_atomic_t calls;

static void handler(int signal) {
  (void)signal;
  if (++calls == 1) siglongjmp(away, 1);
}

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGABRT, &action, NULL);
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGABRT);
  sigprocmask(SIG_BLOCK, &blocked, NULL);
  if (sigsetjmp(away, 1) == 0) abort();
  assert(calls == 1);
  abort();  // mazurka: crash
}
