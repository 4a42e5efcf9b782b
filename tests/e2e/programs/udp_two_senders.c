// expect: executions=468 transitions=1673 verdict=ok
// Two processes send to a third by UDP; whoever comes first is answered.
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sockaddr_in at(int port) {
  struct sockaddr_in made = {
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  return made;
}

static int socket_at(int port) {
  struct sockaddr_in address = at(port);
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(fd >= 0 && bind(fd, (struct sockaddr*)&address, sizeof address) == 0);
  return fd;
}

int main(void) {
  int receiver = socket_at(7000), senders[2] = {socket_at(7001), socket_at(7002)};
  struct sockaddr_in to = at(7000), from;
  socklen_t length = sizeof from;
  for (int i = 0; i < 2; ++i) {
    if (fork() != 0) continue;
    char name = (char)(i + 1);
    assert(sendto(senders[i], &name, 1, 0, (struct sockaddr*)&to, sizeof to) == 1);
    _exit(0);
  }
  char bytes[4];
  assert(recvfrom(receiver, bytes, 4, 0, (struct sockaddr*)&from, &length) == 1);
  assert(from.sin_port == htons(7000 + bytes[0]) && from.sin_addr.s_addr == htonl(INADDR_LOOPBACK));
  assert(sendto(receiver, "!", 1, 0, (struct sockaddr*)&from, length) == 1);
  assert(recv(senders[bytes[0] - 1], bytes, 4, 0) == 1 && bytes[0] == '!');
  assert(recv(receiver, bytes, 4, 0) == 1);
  wait(0);
  wait(0);
  return 0;
}
