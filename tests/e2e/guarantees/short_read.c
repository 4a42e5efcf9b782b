// check: verdict=ok
// check --partial-io: verdict=error findings=assertion
// The reader believes that what was written at once is read at once.
#include <assert.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static char message[1000];

int main(void) {
  int ends[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  if (fork() == 0) {
    write(ends[1], message, sizeof message);
    _exit(0);
  }
  close(ends[1]);
  assert(read(ends[0], message, sizeof message) == sizeof message);
  wait(NULL);
}
