// expect: executions=12 transitions=56 verdict=error findings=deadlock
// Two processes share records of a file, and both want to write: none gives up what it has. (By
// flock they would.)
#include <assert.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

static void lock(int fd, short type) {
  struct flock range = {.l_type = type, .l_whence = SEEK_SET, .l_start = 10, .l_len = 5};
  assert(fcntl(fd, F_SETLKW, &range) == 0);  // mazurka: deadlock
}

static void writer(void) {
  const int fd = open(LOCKED_FILE, O_RDWR);
  lock(fd, F_RDLCK);
  lock(fd, F_WRLCK);
  _exit(0);
}

int main(void) {
  if (fork() == 0) writer();
  if (fork() == 0) writer();
  while (wait(NULL) > 0) {
  }
}
