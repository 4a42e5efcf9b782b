// expect: executions=20 verdict=error findings=assertion
// A client that looks for the socket of its server, and gives up if there is none yet.
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const struct sockaddr_un name = {.sun_family = AF_UNIX,
                                        .sun_path = "address_look_early.socket"};

static void* serve(void* unused) {
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(bind(listener, (const struct sockaddr*)&name, sizeof name) == 0);
  return unused;
}

int main(void) {
  pthread_t server;
  pthread_create(&server, NULL, serve, NULL);
  assert(access(name.sun_path, F_OK) == 0);
  pthread_join(server, NULL);
  unlink(name.sun_path);
}
