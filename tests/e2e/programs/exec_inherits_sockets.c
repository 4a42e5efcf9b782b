// expect: verdict=ok
// A socket that listens and one end of a pipe go through exec; the new image accepts, and says so
// by the pipe.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct sockaddr_un address = {AF_UNIX, "exec_inherits_sockets.name"};

static int serve(int listener, int out) {
  char byte;
  int fd = accept(listener, NULL, NULL);
  assert(fd >= 0 && read(fd, &byte, 1) == 1 && write(out, &byte, 1) == 1);
  return 0;
}

int main(int argc, char** argv) {
  if (argc == 3) return serve(atoi(argv[1]), atoi(argv[2]));
  int ends[2], listener = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(pipe2(ends, O_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, 0) == 0);
  assert(bind(listener, (const struct sockaddr*)&address, sizeof address) == 0 &&
         listen(listener, 1) == 0);
  if (fork() == 0) {
    char first[16], second[16];
    sprintf(first, "%d", listener);
    sprintf(second, "%d", ends[1]);
    execl(argv[0], argv[0], first, second, (char*)NULL);
    _exit(1);
  }
  close(ends[1]);
  close(listener);
  int client = socket(AF_UNIX, SOCK_STREAM, 0), status;
  char byte;
  assert(connect(client, (const struct sockaddr*)&address, sizeof address) == 0 &&
         write(client, "x", 1) == 1);
  assert(read(ends[0], &byte, 1) == 1 && byte == 'x' && read(ends[0], &byte, 1) == 0);
  assert(wait(&status) > 0 && status == 0 && unlink(address.sun_path) == 0);
  return 0;
}
