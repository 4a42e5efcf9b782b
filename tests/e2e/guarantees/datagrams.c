// check: verdict=ok
// check --udp=lossy: verdict=error
// The receiver believes that datagrams come in the order in which they were sent.
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  const int receiver = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  bind(receiver, (struct sockaddr*)&address, sizeof address);
  socklen_t length = sizeof address;
  getsockname(receiver, (struct sockaddr*)&address, &length);
  if (fork() == 0) {
    const int sender = socket(AF_INET, SOCK_DGRAM, 0);
    sendto(sender, "a", 1, 0, (struct sockaddr*)&address, sizeof address);
    sendto(sender, "b", 1, 0, (struct sockaddr*)&address, sizeof address);
    _exit(0);
  }
  char first, second;
  recv(receiver, &first, 1, 0);
  recv(receiver, &second, 1, 0);
  assert(first == 'a' && second == 'b');
  wait(NULL);
}
