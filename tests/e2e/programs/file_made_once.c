// expect: executions=3 transitions=10 verdict=ok
// Two processes make a lock file: one of them does.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

static int make(void) {
  const int file = open("lock", O_CREAT | O_EXCL | O_WRONLY, 0600);
  assert(file >= 0 || errno == EEXIST);
  return file >= 0;
}

int main(void) {
  if (fork() == 0) _exit(make());
  const int made = make();
  int status;
  assert(wait(&status) > 0 && WIFEXITED(status));
  assert(made + WEXITSTATUS(status) == 1);
}
