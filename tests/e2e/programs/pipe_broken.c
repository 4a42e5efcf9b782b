// expect: verdict=ok
// Nobody reads any more: an error for those who ignore SIGPIPE, the end for others.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t caught;
static void on_pipe(int number) { caught = number; }

int main(void) {
  int ends[2], status;
  assert(pipe(ends) == 0 && close(ends[0]) == 0);
  pid_t child = fork();
  if (child == 0) {
    write(ends[1], "x", 1);
    _exit(1);  // not reached
  }
  assert(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
  signal(SIGPIPE, SIG_IGN);
  errno = 0;
  assert(write(ends[1], "x", 1) == -1 && errno == EPIPE);
  assert(write(ends[1], "", 0) == 0);
  signal(SIGPIPE, on_pipe);
  assert(write(ends[1], "x", 1) == -1 && errno == EPIPE && caught == SIGPIPE);
}
