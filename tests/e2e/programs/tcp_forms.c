// expect: verdict=ok
// TCP on the loopback, one call after the other: addresses, options, errors, ends and resets are
// Linux's.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in at(unsigned host, int port) {
  struct sockaddr_in made = {
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(host)};
  return made;
}

static int bind_to(int fd, unsigned host, int port) {
  struct sockaddr_in address = at(host, port);
  return bind(fd, (struct sockaddr*)&address, sizeof address);
}

static int connect_to(int fd, unsigned host, int port) {
  struct sockaddr_in address = at(host, port);
  return connect(fd, (struct sockaddr*)&address, sizeof address);
}

static int port_of(int fd, int (*name)(int, struct sockaddr*, socklen_t*)) {
  struct sockaddr_in address;
  socklen_t length = sizeof address;
  assert(name(fd, (struct sockaddr*)&address, &length) == 0 && length == sizeof address &&
         address.sin_family == AF_INET);
  return ntohs(address.sin_port);
}

static int option(int fd, int level, int name) {
  int value = -1;
  socklen_t length = sizeof value;
  assert(getsockopt(fd, level, name, &value, &length) == 0 && length == sizeof value);
  return value;
}

static int events(int fd) {
  struct pollfd wanted = {.fd = fd, .events = POLLIN | POLLOUT | POLLRDHUP};
  assert(poll(&wanted, 1, 0) >= 0);
  return wanted.revents;
}

static int fails(long result, int error) { return result == -1 && errno == error; }

static void not_connected(void) {
  char byte = 0;
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  assert(port_of(fd, getsockname) == 0 && events(fd) == (POLLOUT | POLLHUP));
  assert(fails(recv(fd, &byte, 1, 0), ENOTCONN) && fails(send(fd, &byte, 1, 0), EPIPE));
  assert(fails(shutdown(fd, SHUT_WR), ENOTCONN) && fails(accept(fd, NULL, NULL), EINVAL));
  struct sockaddr_in peer;
  socklen_t length = sizeof peer;
  assert(fails(getpeername(fd, (struct sockaddr*)&peer, &length), ENOTCONN));
  assert(fails(connect_to(fd, INADDR_LOOPBACK, 9), ECONNREFUSED));
  close(fd);
}

static void options(void) {
  int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  assert(option(fd, SOL_SOCKET, SO_TYPE) == SOCK_STREAM &&
         option(fd, SOL_SOCKET, SO_DOMAIN) == AF_INET);
  assert(option(fd, IPPROTO_TCP, TCP_NODELAY) == 0 &&
         setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) == 0);
  assert(option(fd, IPPROTO_TCP, TCP_NODELAY) == 1 && option(fd, SOL_SOCKET, SO_ACCEPTCONN) == 0);
  close(fd);
}

static int listen_on(int port, int backlog) {
  int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  assert(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0);
  assert(bind_to(fd, INADDR_ANY, port) == 0 && listen(fd, backlog) == 0);
  return fd;
}

static void addresses(void) {
  int first = listen_on(7000, 1), second = socket(AF_INET, SOCK_STREAM, 0);
  assert(fails(bind_to(second, INADDR_LOOPBACK, 7000), EADDRINUSE));
  assert(bind_to(second, INADDR_LOOPBACK, 0) == 0 && port_of(second, getsockname) > 1024);
  assert(fails(bind_to(second, INADDR_LOOPBACK, 7001), EINVAL));
  close(first);
  int again = listen_on(7000, 1);
  close(again);
  close(second);
}

// Both ends of a new connection.
static void connect_pair(int listener, int* client, int* server) {
  struct sockaddr_in from;
  socklen_t length = sizeof from;
  *client = socket(AF_INET, SOCK_STREAM, 0);
  assert(connect_to(*client, INADDR_LOOPBACK, 7000) == 0);
  *server = accept(listener, (struct sockaddr*)&from, &length);
  assert(*server >= 0 && ntohs(from.sin_port) == port_of(*client, getsockname));
  assert(port_of(*server, getpeername) == port_of(*client, getsockname));
  assert(port_of(*server, getsockname) == 7000 && port_of(*client, getpeername) == 7000);
}

static void end_of_stream(int listener) {
  int client, server;
  char bytes[8];
  connect_pair(listener, &client, &server);
  assert(events(client) == POLLOUT && fails(connect_to(client, INADDR_LOOPBACK, 7000), EISCONN));
  assert(send(client, "hello", 5, 0) == 5 && recv(server, bytes, 2, MSG_PEEK) == 2 &&
         recv(server, bytes, 8, 0) == 5);
  assert(shutdown(client, SHUT_WR) == 0 && recv(server, bytes, 8, 0) == 0);
  assert(events(server) == (POLLIN | POLLOUT | POLLRDHUP) &&
         fails(send(client, "x", 1, MSG_NOSIGNAL), EPIPE));
  assert(send(server, "bye", 3, 0) == 3);
  close(server);
  assert(recv(client, bytes, 8, 0) == 3 && recv(client, bytes, 8, 0) == 0);
  close(client);
}

// The first write after the other side has closed is lost, the next one fails.
static void write_to_closed(int listener) {
  int client, server;
  connect_pair(listener, &client, &server);
  close(server);
  assert(send(client, "x", 1, MSG_NOSIGNAL) == 1 &&
         fails(send(client, "x", 1, MSG_NOSIGNAL), EPIPE));
  close(client);
}

static void closed_with_data_unread(int listener) {
  int client, server;
  char byte;
  connect_pair(listener, &client, &server);
  assert(send(client, "x", 1, 0) == 1 && send(server, "y", 1, 0) == 1);
  close(server);
  assert(recv(client, &byte, 1, 0) == 1 && fails(recv(client, &byte, 1, 0), ECONNRESET));
  assert(recv(client, &byte, 1, 0) == 0 && fails(send(client, "x", 1, MSG_NOSIGNAL), EPIPE));
  close(client);
  connect_pair(listener, &client, &server);
  assert(send(client, "x", 1, 0) == 1);
  close(server);
  assert((events(client) & POLLERR) && option(client, SOL_SOCKET, SO_ERROR) == ECONNRESET);
  assert(option(client, SOL_SOCKET, SO_ERROR) == 0);
  close(client);
}

static void without_waiting(int listener) {
  int client = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  char byte;
  assert(fcntl(listener, F_SETFL, O_NONBLOCK) == 0 && fails(accept(listener, NULL, NULL), EAGAIN));
  assert(events(listener) == 0 && fails(connect_to(client, INADDR_LOOPBACK, 7000), EINPROGRESS));
  assert(events(listener) == POLLIN && events(client) == POLLOUT &&
         option(client, SOL_SOCKET, SO_ERROR) == 0);
  assert(connect_to(client, INADDR_LOOPBACK, 7000) == 0 &&
         fails(recv(client, &byte, 1, 0), EAGAIN));
  int server = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  assert(server >= 0 && fails(recv(server, &byte, 1, 0), EAGAIN) &&
         (fcntl(server, F_GETFD) & FD_CLOEXEC));
  close(client);
  close(server);
  client = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  assert(fails(connect_to(client, INADDR_LOOPBACK, 9), EINPROGRESS) && (events(client) & POLLERR));
  assert(option(client, SOL_SOCKET, SO_ERROR) == ECONNREFUSED &&
         option(client, SOL_SOCKET, SO_ERROR) == 0);
  close(client);
}

static void refused_when_closed(int listener) {
  int client = socket(AF_INET, SOCK_STREAM, 0);
  char byte;
  assert(connect_to(client, INADDR_LOOPBACK, 7000) == 0 && send(client, "x", 1, 0) == 1);
  close(listener);
  assert(fails(recv(client, &byte, 1, 0), ECONNRESET));
  int late = socket(AF_INET, SOCK_STREAM, 0);
  assert(fails(connect_to(late, INADDR_LOOPBACK, 7000), ECONNREFUSED));
  close(late);
  close(client);
}

static void by_name(void) {
  struct addrinfo wanted = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found = NULL;
  int listener = listen_on(7002, 4);
  assert(getaddrinfo("127.0.0.1", "7002", &wanted, &found) == 0);
  int client = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
  assert(connect(client, found->ai_addr, found->ai_addrlen) == 0);
  freeaddrinfo(found);
  close(client);
  close(listener);
}

static void ip6(void) {
  struct sockaddr_in6 any = {.sin6_family = AF_INET6,
                             .sin6_port = htons(7003),
                             .sin6_addr = in6addr_any},
                      from;
  socklen_t length = sizeof from;
  int listener = socket(AF_INET6, SOCK_STREAM, 0), client = socket(AF_INET6, SOCK_STREAM, 0);
  assert(bind(listener, (struct sockaddr*)&any, sizeof any) == 0 && listen(listener, 4) == 0);
  any.sin6_addr = in6addr_loopback;
  assert(connect(client, (struct sockaddr*)&any, sizeof any) == 0);
  int server = accept(listener, (struct sockaddr*)&from, &length);
  assert(server >= 0 && length == sizeof from && from.sin6_family == AF_INET6);
  int old = socket(AF_INET, SOCK_STREAM, 0);
  assert(connect_to(old, INADDR_LOOPBACK, 7003) == 0);
  close(old);
  close(client);
  close(server);
  close(listener);
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  not_connected();
  options();
  addresses();
  int listener = listen_on(7000, 4);
  end_of_stream(listener);
  write_to_closed(listener);
  closed_with_data_unread(listener);
  without_waiting(listener);
  refused_when_closed(listener);
  by_name();
  ip6();
  return 0;
}
