// expect: executions=6 transitions=281 optimal=1 verdict=ok
// What Linux takes without anybody who reads: many short writes to a pair of sockets, and both
// sides of a TCP connection may send 200 KB before they read.
#include <arpa/inet.h>
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

enum { kShort = 250, kLong = 200000 };
static char sent[kLong], received[2][kLong];

static void many_short(void) {
  int ends[2];
  char byte = 1;
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  for (int i = 0; i < kShort; ++i) assert(write(ends[0], &byte, 1) == 1);
  assert(read(ends[1], received[0], kLong) == kShort);
}

static void send_then_receive(int connection, char* to) {
  assert(write(connection, sent, kLong) == kLong);
  for (ssize_t got = 0, n = 0; got < kLong; got += n)
    assert((n = read(connection, to, (size_t)(kLong - got))) > 0);
}

static struct sockaddr_in address;

static void* client(void* unused) {
  const int connection = socket(AF_INET, SOCK_STREAM, 0);
  assert(connect(connection, (const struct sockaddr*)&address, sizeof address) == 0);
  send_then_receive(connection, received[1]);
  return unused;
}

int main(void) {
  many_short();
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  socklen_t length = sizeof address;
  address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  assert(bind(listener, (const struct sockaddr*)&address, length) == 0 && listen(listener, 1) == 0);
  assert(getsockname(listener, (struct sockaddr*)&address, &length) == 0);
  pthread_t other;
  pthread_create(&other, NULL, client, NULL);
  send_then_receive(accept(listener, NULL, NULL), received[0]);
  pthread_join(other, NULL);
}
