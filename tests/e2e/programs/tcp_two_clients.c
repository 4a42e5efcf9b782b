// expect: executions=128 transitions=476 verdict=ok
// Two processes connect to a third, in any order; it waits for the end of the first.
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sockaddr_in address;

static void client(void) {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  assert(connect(fd, (struct sockaddr*)&address, sizeof address) == 0);
  _exit(0);
}

int main(void) {
  address.sin_family = AF_INET;
  address.sin_port = htons(7000);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  char byte;
  assert(bind(listener, (struct sockaddr*)&address, sizeof address) == 0 &&
         listen(listener, 4) == 0);
  for (int i = 0; i < 2; ++i) {
    if (fork() == 0) client();
  }
  int first = accept(listener, 0, 0);
  assert(first >= 0 && read(first, &byte, 1) == 0);
  assert(accept(listener, 0, 0) >= 0);
  wait(0);
  wait(0);
  return 0;
}
