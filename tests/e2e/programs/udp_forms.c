// expect: verdict=ok
// Datagrams by address, one call after the other: UDP, and the UNIX domain.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int fails(long result, int error) { return result == -1 && errno == error; }

static struct sockaddr_in at(int port) {
  struct sockaddr_in made = {
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  return made;
}

static int events(int fd) {
  struct pollfd wanted = {.fd = fd, .events = POLLIN | POLLOUT};
  assert(poll(&wanted, 1, 0) >= 0);
  return wanted.revents;
}

static void udp(void) {
  int a = socket(AF_INET, SOCK_DGRAM, 0), b = socket(AF_INET, SOCK_DGRAM, 0),
      c = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in to = at(7000), from;
  socklen_t length = sizeof from;
  char bytes[8] = "";
  assert(bind(a, (struct sockaddr*)&to, sizeof to) == 0 &&
         fails(bind(b, (struct sockaddr*)&to, sizeof to), EADDRINUSE));
  assert(fails(send(b, "x", 1, 0), EDESTADDRREQ) &&
         fails(recv(a, bytes, 8, MSG_DONTWAIT), EAGAIN) && events(a) == POLLOUT);
  assert(sendto(b, "hello", 5, 0, (struct sockaddr*)&to, sizeof to) == 5 &&
         events(a) == (POLLIN | POLLOUT));
  assert(sendto(b, "", 0, 0, (struct sockaddr*)&to, sizeof to) == 0);
  assert(recvfrom(a, bytes, 2, MSG_PEEK | MSG_TRUNC, (struct sockaddr*)&from, &length) == 5);
  assert(recv(a, bytes, 2, 0) == 2 && memcmp(bytes, "he", 2) == 0 && recv(a, bytes, 8, 0) == 0);
  assert(connect(c, (struct sockaddr*)&to, sizeof to) == 0 && write(c, "c", 1) == 1);
  assert(sendto(a, "to b", 4, 0, (struct sockaddr*)&from, length) == 4 && read(b, bytes, 8) == 4);
  struct iovec parts[2] = {{bytes, 1}, {bytes + 4, 4}};
  struct msghdr message = {
      .msg_name = &from, .msg_namelen = sizeof from, .msg_iov = parts, .msg_iovlen = 2};
  assert(recvmsg(a, &message, 0) == 1 && bytes[0] == 'c' && message.msg_namelen == sizeof from);
  struct sockaddr_in self;
  length = sizeof self;
  assert(getsockname(c, (struct sockaddr*)&self, &length) == 0 && self.sin_port == from.sin_port);
  assert(getpeername(c, (struct sockaddr*)&self, &length) == 0 && self.sin_port == htons(7000));
  // It is connected: what others send to it does not arrive.
  assert(sendto(b, "no", 2, 0, (struct sockaddr*)&from, sizeof from) == 2 &&
         fails(recv(c, bytes, 8, MSG_DONTWAIT), EAGAIN));
  close(a);
  close(b);
  close(c);
}

static void local(void) {
  struct sockaddr_un name = {AF_UNIX, "udp_forms.name"}, from;
  socklen_t length = sizeof from;
  char bytes[8];
  int a = socket(AF_UNIX, SOCK_DGRAM, 0), b = socket(AF_UNIX, SOCK_DGRAM, 0);
  assert(fails(sendto(b, "x", 1, 0, (struct sockaddr*)&name, sizeof name), ENOENT));
  assert(bind(a, (struct sockaddr*)&name, sizeof name) == 0 && fails(send(b, "x", 1, 0), ENOTCONN));
  for (int i = 0; i < 11; ++i)
    assert(sendto(b, "x", 1, MSG_DONTWAIT, (struct sockaddr*)&name, sizeof name) == 1);
  assert(fails(sendto(b, "x", 1, MSG_DONTWAIT, (struct sockaddr*)&name, sizeof name), EAGAIN));
  assert(recvfrom(a, bytes, 8, 0, (struct sockaddr*)&from, &length) == 1 && length == 0);
  assert(connect(b, (struct sockaddr*)&name, sizeof name) == 0 &&
         send(b, "y", 1, MSG_DONTWAIT) == 1);
  close(a);
  assert(fails(send(b, "x", 1, 0), ECONNREFUSED) && unlink(name.sun_path) == 0);
  close(b);
}

int main(void) {
  udp();
  local();
  return 0;
}
