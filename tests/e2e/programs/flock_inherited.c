// expect: executions=3 transitions=15 verdict=ok
// The lock belongs to the description: it is given up when the parent and the child have both
// closed it.
#include <assert.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  const int fd = open(LOCKED_FILE, O_RDWR);
  assert(flock(fd, LOCK_EX) == 0);
  if (fork() == 0) {
    assert(flock(fd, LOCK_EX) == 0);  // it has it already
    _exit(0);
  }
  const int other = open(LOCKED_FILE, O_RDWR);
  assert(close(fd) == 0);
  assert(flock(other, LOCK_EX) == 0);
  assert(waitpid(-1, NULL, WNOHANG) >= 0);
}
