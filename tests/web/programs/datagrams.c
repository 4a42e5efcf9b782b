// A child receives two datagrams: for the simulator to show what has come and was not read yet.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(7000), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  const int receiver = socket(AF_INET, SOCK_DGRAM, 0);
  const int sender = socket(AF_INET, SOCK_DGRAM, 0);
  if (bind(receiver, (struct sockaddr*)&address, sizeof address) != 0) return 1;
  if (fork() == 0) {
    char bytes[8];
    _exit(recv(receiver, bytes, sizeof bytes, 0) < 0 || recv(receiver, bytes, sizeof bytes, 0) < 0);
  }
  if (sendto(sender, "one", 3, 0, (struct sockaddr*)&address, sizeof address) != 3) return 1;
  if (sendto(sender, "two", 3, 0, (struct sockaddr*)&address, sizeof address) != 3) return 1;
  wait(NULL);
  return 0;
}
