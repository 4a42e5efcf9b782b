// expect: executions=1 transitions=2 verdict=error findings=crash
// A signal that a child sends to itself ends it; its parent sees which.
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  const pid_t child = fork();
  if (child == 0) {
    kill(getpid(), SIGTERM);  // mazurka: crash
    _exit(0);
  }
  int status;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  return 0;
}
