// expect: verdict=incomplete
// A file that was opened for reading only, and inherited: that they share it is not known, and the
// lock is a real one.
#include <assert.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  const int fd = open(LOCKED_FILE, O_RDONLY);
  if (fork() == 0) {
    assert(flock(fd, LOCK_EX) == 0);
    _exit(0);
  }
  assert(flock(fd, LOCK_EX) == 0);
  wait(NULL);
}
