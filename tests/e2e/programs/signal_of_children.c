// expect: executions=50 transitions=232 verdict=ok
// SIGCHLD is pending once, however many children end: the handler must wait for all that it finds.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

volatile sig_atomic_t reaped;

void handler(int signal) {
  const int kept = errno;
  int status;
  while (waitpid(-1, &status, WNOHANG) > 0) {
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    ++reaped;
  }
  errno = kept;
}

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  sigset_t child, before;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, &before);
  sigaction(SIGCHLD, &action, NULL);
  for (int i = 0; i < 2; ++i) {
    if (fork() == 0) _exit(7);
  }
  while (reaped < 2) sigsuspend(&before);
}
