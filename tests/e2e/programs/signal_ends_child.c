// expect: executions=1 transitions=5 verdict=ok
// A child that is killed may get as far as it likes before; its parent sees by which signal it
// ended, if it did.
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  assert(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    char byte;
    read(ends[0], &byte, 1);  // nobody ever writes
    _exit(0);
  }
  assert(kill(child, 0) == 0 && kill(child, SIGTERM) == 0);
  int status;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  assert(kill(child, 0) == -1);
}
