// expect: verdict=ok
// A signal that comes while a process waits for a lock, and the call is restarted: it gets the lock
// all the same.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

static void handler(int signal) {}

int main(void) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  if (fork() == 0) {
    const int own = open(LOCKED_FILE, O_RDWR);
    assert(flock(own, LOCK_EX) == 0);
    kill(getppid(), SIGUSR1);
    _exit(0);
  }
  const int fd = open(LOCKED_FILE, O_RDWR);
  assert(flock(fd, LOCK_EX) == 0);
  close(fd);
  while (wait(NULL) > 0 || errno == EINTR) {
  }
}
