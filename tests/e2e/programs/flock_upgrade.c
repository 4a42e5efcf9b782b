// expect: executions=26 transitions=136 verdict=ok
// Two processes share a lock, and both want it alone: one gives up first what it has, and waits.
#include <assert.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

static void child(void) {
  const int fd = open(LOCKED_FILE, O_RDWR);
  assert(flock(fd, LOCK_SH) == 0);
  assert(flock(fd, LOCK_EX) == 0);
  _exit(0);
}

int main(void) {
  if (fork() == 0) child();
  if (fork() == 0) child();
  while (wait(NULL) > 0) {
  }
}
