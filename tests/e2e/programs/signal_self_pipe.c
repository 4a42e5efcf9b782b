// expect: executions=42 transitions=206 verdict=ok
// The self-pipe trick: the handler makes the signal an input like others, and poll does not miss
// it.
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int ends[2];

void handler(int signal) {
  const int kept = errno;
  assert(write(ends[1], "s", 1) == 1);
  errno = kept;
}

int main(void) {
  assert(pipe(ends) == 0);
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGUSR1, &action, NULL);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    kill(parent, SIGUSR1);
    _exit(0);
  }
  struct pollfd wanted = {ends[0], POLLIN, 0};
  while (poll(&wanted, 1, -1) != 1) assert(errno == EINTR);
  char byte;
  assert(read(ends[0], &byte, 1) == 1 && byte == 's');
  assert(waitpid(child, NULL, 0) == child);
}
