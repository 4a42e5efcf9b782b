// expect: verdict=ok
// A process has no more descriptors: the calls that make them fail with EMFILE, and what is there
// goes on.
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static int fails(int result) { return result == -1 && errno == EMFILE; }

int main(void) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(7000), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0), ends[2];
  assert(bind(listener, (struct sockaddr*)&address, sizeof address) == 0 &&
         listen(listener, 4) == 0);
  assert(connect(client, (struct sockaddr*)&address, sizeof address) == 0);
  struct rlimit limit = {(rlim_t)client + 1, (rlim_t)client + 1};
  assert(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  assert(fails(pipe(ends)) && fails(socket(AF_INET, SOCK_STREAM, 0)) && fails(dup(client)));
  assert(fails(socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) && fails(accept(listener, 0, 0)));
  assert(close(0) == 0);
  int server = accept(listener, 0, 0);
  char byte;
  assert(server == 0 && write(client, "x", 1) == 1 && read(server, &byte, 1) == 1 && byte == 'x');
  return 0;
}
