// expect: executions=52 transitions=232 verdict=ok
// A queue of one: the second client waits in connect until the first has been accepted.
#include <assert.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct sockaddr_un address = {AF_UNIX, "unix_full_queue.socket"};

static void client(void) {
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(connect(fd, (const struct sockaddr*)&address, sizeof address) == 0);
  _exit(0);
}

int main(void) {
  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(bind(listener, (const struct sockaddr*)&address, sizeof address) == 0 &&
         listen(listener, 0) == 0);
  for (int i = 0; i < 2; ++i) {
    if (fork() == 0) client();
  }
  for (int i = 0; i < 2; ++i) assert(accept(listener, NULL, NULL) >= 0);
  wait(NULL);
  wait(NULL);
  assert(unlink(address.sun_path) == 0);
  return 0;
}
