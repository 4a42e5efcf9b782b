// expect: verdict=error findings=assertion
// A signal interrupts who waits for a lock.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void handler(int signal) {}

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGUSR1, &action, NULL);
  const int fd = open(LOCKED_FILE, O_RDWR);
  struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fork() == 0) {
    assert(fcntl(fd, F_SETLKW, &range) == 0);
    kill(getppid(), SIGUSR1);
    _exit(0);
  }
  const int result = fcntl(fd, F_SETLKW, &range);
  assert(result == 0 || errno == EINTR);
  assert(result == 0);  // mazurka: assertion
  close(fd);
  while (wait(NULL) > 0 || errno == EINTR) {
  }
}
