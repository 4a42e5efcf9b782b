// expect: executions=4 transitions=23 optimal=2 verdict=error findings=assertion
// A socket that connects hears no one else from then on: who sends to it may come too late, or not.
#include <arpa/inet.h>
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>

enum { kPort = 5000, kOtherPort = 5001 };
static int receiver;

static struct sockaddr_in local(int port) {
  return (struct sockaddr_in){.sin_family = AF_INET,
                              .sin_port = htons((unsigned short)port),
                              .sin_addr = {htonl(INADDR_LOOPBACK)}};
}

static void* send_one(void* unused) {
  const struct sockaddr_in to = local(kPort);
  const int sender = socket(AF_INET, SOCK_DGRAM, 0);
  sendto(sender, "x", 1, 0, (const struct sockaddr*)&to, sizeof to);
  return unused;
}

int main(void) {
  const struct sockaddr_in own = local(kPort), other = local(kOtherPort);
  receiver = socket(AF_INET, SOCK_DGRAM, 0);
  assert(bind(receiver, (const struct sockaddr*)&own, sizeof own) == 0);
  pthread_t sender;
  pthread_create(&sender, NULL, send_one, NULL);
  assert(connect(receiver, (const struct sockaddr*)&other, sizeof other) == 0);
  pthread_join(sender, NULL);
  char byte;
  assert(recv(receiver, &byte, 1, MSG_DONTWAIT) != 1);  // mazurka: assertion
}
