#include "network.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

#include "trace.h"

enum { kFirstPort = 7101, kBacklog = 8 };

static struct sockaddr_in address_of(int node) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons((uint16_t)(kFirstPort + node));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// Short messages that are waited for: they shall not be held back.
static void set_options(int fd) {
  const int yes = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

int make_socket(void) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) die("socket");
  set_options(fd);
  return fd;
}

int listen_as(int node) {
  const struct sockaddr_in address = address_of(node);
  const int yes = 1;
  const int fd = make_socket();
  if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0) die("SO_REUSEADDR");
  if (bind(fd, (const struct sockaddr*)&address, sizeof address) != 0) die("bind");
  if (listen(fd, kBacklog) != 0) die("listen");
  return fd;
}

int accept_peer(int listener) {
  for (;;) {
    const int fd = accept(listener, NULL, NULL);
    if (fd < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (fd >= 0) set_options(fd);
    return fd;
  }
}

int connect_to(int fd, int node) {
  const struct sockaddr_in address = address_of(node);
  return connect(fd, (const struct sockaddr*)&address, sizeof address);
}
