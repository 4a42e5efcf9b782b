// Options of sockets: those that change how fast bytes travel are known, others are named.
// check: verdict=ok
// check CREDENTIALS: verdict=incomplete says=option_16_of_level_1
// check AT_LEAST: verdict=incomplete says=option_18_of_level_1
// check DEFERRED: verdict=incomplete says=option_9_of_level_6
// check SMALL: verdict=incomplete says=less_than_32_KB
// check SMALL_PAIR: verdict=incomplete says=less_than_32_KB
// check FAST: verdict=incomplete says=MSG_FASTOPEN
// check URGENT: verdict=incomplete says=out-of-band_data
#define _GNU_SOURCE
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { kLong = 60000 };

static int set(int fd, int level, int name, int value) {
  return setsockopt(fd, level, name, &value, sizeof value);
}

// More than a small buffer takes: that of the model stays what it is.
static int write_much(int fd) {
  static char bytes[kLong];
  return write(fd, bytes, sizeof bytes) == kLong ? 0 : 3;
}

int main(void) {
  int pair[2];
  const int server = socket(AF_INET, SOCK_STREAM, 0);
  if (server < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 2;
  if (set(server, SOL_SOCKET, SO_REUSEADDR, 1) || set(server, IPPROTO_TCP, TCP_NODELAY, 1) ||
      set(server, SOL_SOCKET, SO_KEEPALIVE, 1) || set(server, SOL_SOCKET, SO_RCVBUF, 1 << 20) ||
      set(pair[0], SOL_SOCKET, SO_SNDBUF, 1 << 16) || set(pair[0], SOL_SOCKET, SO_PASSCRED, 0))
    return 4;
  struct iovec part = {"x", 1};
  const struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
#if defined(CREDENTIALS)
  set(pair[0], SOL_SOCKET, SO_PASSCRED, 1);
#elif defined(AT_LEAST)
  set(server, SOL_SOCKET, SO_RCVLOWAT, 8);
#elif defined(DEFERRED)
  set(server, IPPROTO_TCP, TCP_DEFER_ACCEPT, 1);
#elif defined(SMALL)
  set(server, SOL_SOCKET, SO_SNDBUF, 4096);
#elif defined(SMALL_PAIR)
  set(pair[0], SOL_SOCKET, SO_SNDBUF, 4096);
#elif defined(FAST)
  send(pair[0], "x", 1, MSG_FASTOPEN);
#elif defined(URGENT)
  sendmsg(pair[0], &message, MSG_OOB);
#endif
  (void)message;
  return write_much(pair[0]);
}
