// expect: verdict=ok
// Streams, messages and datagrams; half-close, a peer that has closed, what it has not read.
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static char bytes[64];

static void streams(void) {
  int s[2];
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, s) == 0);
  pid_t child = fork();
  if (child == 0) {
    close(s[0]);
    assert(recv(s[1], bytes, 6, MSG_WAITALL) == 6 && memcmp(bytes, "abcdef", 6) == 0);
    assert(recv(s[1], bytes, 6, 0) == 0);  // shut
    struct iovec parts[2] = {{"12", 2}, {"345", 3}};
    assert(writev(s[1], parts, 2) == 5);
    _exit(0);
  }
  close(s[1]);
  assert(send(s[0], "abc", 3, 0) == 3 && write(s[0], "def", 3) == 3);
  assert(shutdown(s[0], SHUT_WR) == 0);
  assert(send(s[0], "x", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE);
  assert(recv(s[0], bytes, 2, MSG_PEEK) == 2 && recv(s[0], bytes, 64, MSG_WAITALL) == 5);
  assert(memcmp(bytes, "12345", 5) == 0 && recv(s[0], bytes, 1, 0) == 0);
  close(s[0]);
  wait(NULL);
}

static void reset(void) {
  int s[2];
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, s) == 0);
  assert(write(s[0], "unread", 6) == 6 && write(s[1], "z", 1) == 1 && close(s[1]) == 0);
  assert(read(s[0], bytes, 8) == 1 && read(s[0], bytes, 8) == -1 && errno == ECONNRESET &&
         read(s[0], bytes, 8) == 0);
  close(s[0]);
}

static void messages(int type) {
  int s[2];
  assert(socketpair(AF_UNIX, type, 0, s) == 0);
  assert(send(s[0], "first", 5, 0) == 5 && send(s[0], "", 0, 0) == 0 &&
         send(s[0], "third", 5, 0) == 5);
  assert(recv(s[1], bytes, 2, 0) == 2 && bytes[1] == 'i');  // the rest is lost
  assert(recv(s[1], bytes, 64, 0) == 0 && recv(s[1], bytes, 64, 0) == 5);
  assert(recv(s[1], bytes, 64, MSG_DONTWAIT) == -1 && errno == EAGAIN);
  int sent = 0;
  while (send(s[0], bytes, 8, MSG_DONTWAIT) == 8) ++sent;
  assert(errno == EAGAIN && sent == 11);
  while (recv(s[1], bytes, 64, MSG_DONTWAIT) == 8) {
  }
  close(s[1]);
  const int expected = type == SOCK_DGRAM ? ECONNREFUSED : EPIPE;
  assert(send(s[0], "x", 1, MSG_NOSIGNAL) == -1 && errno == expected);
  close(s[0]);
}

int main(void) {
  streams();
  reset();
  messages(SOCK_SEQPACKET);
  messages(SOCK_DGRAM);
}
