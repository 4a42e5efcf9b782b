// expect: verdict=error findings=assertion
// A lock that is tried may be taken.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  if (fork() == 0) {
    const int fd = open(LOCKED_FILE, O_RDONLY);
    assert(flock(fd, LOCK_EX) == 0);
    assert(close(fd) == 0);
    _exit(0);
  }
  const int fd = open(LOCKED_FILE, O_RDONLY);
  const int got = flock(fd, LOCK_SH | LOCK_NB);
  assert(got == 0 || errno == EWOULDBLOCK);
  assert(got == 0);  // mazurka: assertion
  assert(close(fd) == 0);
  wait(NULL);
}
