// expect: executions=2 transitions=7 verdict=ok
// A once routine forks: both processes come out of it, and each has its own control, done.
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static pid_t pid;
static int runs;

static void routine(void) {
  ++runs;
  pid = fork();
}

int main(void) {
  assert(pthread_once(&control, routine) == 0);
  assert(pthread_once(&control, routine) == 0);
  assert(runs == 1);
  if (pid == 0) _exit(0);
  int status = -1;
  assert(waitpid(pid, &status, 0) == pid && status == 0);
}
