// expect: verdict=error findings=deadlock
// A server that waits for clients when there are no more: nobody can go on, and it has not ended.
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(7000), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  assert(bind(listener, (struct sockaddr*)&address, sizeof address) == 0 &&
         listen(listener, 4) == 0);
  if (fork() == 0) {
    for (;;) close(accept(listener, 0, 0));  // mazurka: deadlock
  }
  int client = socket(AF_INET, SOCK_STREAM, 0);
  char byte;
  assert(connect(client, (struct sockaddr*)&address, sizeof address) == 0 &&
         read(client, &byte, 1) == 0);
  return 0;
}
