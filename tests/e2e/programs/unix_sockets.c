// expect: verdict=ok
// Sockets of the UNIX domain that are found by path or by an abstract name, one call after the
// other.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const char path[] = "unix_sockets.name";

static socklen_t name(struct sockaddr_un* address, const char* text) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  strcpy(address->sun_path, text);
  if (text[0] != '@') return sizeof *address;
  address->sun_path[0] = '\0';
  return offsetof(struct sockaddr_un, sun_path) + strlen(text);
}

static int bind_to(int fd, const char* text) {
  struct sockaddr_un address;
  socklen_t length = name(&address, text);
  return bind(fd, (struct sockaddr*)&address, length);
}

static int connect_to(int fd, const char* text) {
  struct sockaddr_un address;
  socklen_t length = name(&address, text);
  return connect(fd, (struct sockaddr*)&address, length);
}

static int fails(long result, int error) { return result == -1 && errno == error; }

static void meet(int type, const char* text) {
  int listener = socket(AF_UNIX, type, 0), client = socket(AF_UNIX, type, 0),
      other = socket(AF_UNIX, type, 0);
  char bytes[8];
  assert(fails(connect_to(client, text), text[0] == '@' ? ECONNREFUSED : ENOENT) &&
         fails(listen(listener, 1), EINVAL));
  assert(bind_to(listener, text) == 0 && fails(bind_to(other, text), EADDRINUSE));
  assert(fails(connect_to(client, text), ECONNREFUSED) && listen(listener, 1) == 0);
  assert(connect_to(client, text) == 0 && send(client, "one", 3, 0) == 3);
  int server = accept(listener, NULL, NULL);
  assert(server >= 0 && send(client, "two", 3, 0) == 3);
  assert(recv(server, bytes, 8, 0) == (type == SOCK_STREAM ? 6 : 3));
  struct sockaddr_un address;
  socklen_t length = sizeof address;
  assert(getsockname(client, (struct sockaddr*)&address, &length) == 0 &&
         length == sizeof address.sun_family);
  close(server);
  close(client);
  close(listener);
  client = socket(AF_UNIX, type, 0);
  assert(fails(connect_to(client, text), ECONNREFUSED));
  if (text[0] != '@')
    assert(fails(bind_to(other, text), EADDRINUSE) && unlink(text) == 0 &&
           fails(unlink(text), ENOENT));
  assert(bind_to(other, text) == 0);
  if (text[0] != '@') unlink(text);
  close(other);
  close(client);
}

// A queue takes one more than it was asked for; then a connect that must not wait fails.
static void full(void) {
  int listener = socket(AF_UNIX, SOCK_STREAM, 0), clients[3];
  assert(bind_to(listener, "@unix_sockets full") == 0 && listen(listener, 1) == 0);
  for (int i = 0; i < 3; ++i) {
    clients[i] = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (i < 2) assert(connect_to(clients[i], "@unix_sockets full") == 0);
  }
  assert(fails(connect_to(clients[2], "@unix_sockets full"), EAGAIN));
  int server = accept(listener, NULL, NULL);
  assert(server >= 0 && connect_to(clients[2], "@unix_sockets full") == 0);
  close(server);
  close(listener);
  char byte;
  assert(recv(clients[0], &byte, 1, 0) == 0 && fails(recv(clients[1], &byte, 1, 0), ECONNRESET));
  for (int i = 0; i < 3; ++i) close(clients[i]);
}

static void not_connected(void) {
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  char byte = 0;
  struct pollfd wanted = {.fd = fd, .events = POLLIN | POLLOUT};
  assert(fails(recv(fd, &byte, 1, 0), EINVAL) && fails(send(fd, &byte, 1, 0), ENOTCONN));
  assert(poll(&wanted, 1, 0) == 1 && wanted.revents == (POLLOUT | POLLHUP));
  close(fd);
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  not_connected();
  meet(SOCK_STREAM, path);
  meet(SOCK_STREAM, "@unix_sockets");
  meet(SOCK_SEQPACKET, path);
  meet(SOCK_SEQPACKET, "@unix_sockets");
  full();
  return 0;
}
