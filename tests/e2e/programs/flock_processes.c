// expect: executions=30 transitions=142 verdict=ok
// Two processes that open the same file, and lock it one after the other; the second one shares.
#include <assert.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

static void child(int how) {
  const int fd = open(LOCKED_FILE, O_RDWR);
  assert(fd >= 0 && flock(fd, how) == 0);
  assert(flock(fd, LOCK_UN) == 0);
  _exit(0);  // which closes it
}

int main(void) {
  if (fork() == 0) child(LOCK_EX);
  if (fork() == 0) child(LOCK_SH);
  while (wait(NULL) > 0) {
  }
}
