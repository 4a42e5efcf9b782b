// expect: executions=5 transitions=32 verdict=ok
// A poll waits for one of two pipes; which are ready then is what happened before.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

static int first[2], second[2];

static void* writer(void* fd) {
  assert(write(*(int*)fd, "x", 1) == 1);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  assert(pipe(first) == 0 && pipe(second) == 0);
  struct pollfd wanted[3] = {{first[0], POLLIN, 0}, {-1, POLLIN, 0}, {second[0], POLLIN, 0}};
  assert(poll(wanted, 3, 0) == 0);
  pthread_create(&threads[0], NULL, writer, &first[1]);
  pthread_create(&threads[1], NULL, writer, &second[1]);
  int ready = poll(wanted, 3, -1);
  assert(ready == (wanted[0].revents == POLLIN) + (wanted[2].revents == POLLIN) && ready > 0 &&
         wanted[1].revents == 0);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  fd_set in, out;
  FD_ZERO(&in);
  FD_ZERO(&out);
  FD_SET(first[0], &in);
  FD_SET(second[0], &in);
  FD_SET(first[1], &out);
  struct timeval none = {0, 0};
  assert(select(10, &in, &out, NULL, &none) == 3 && FD_ISSET(first[0], &in) &&
         FD_ISSET(first[1], &out));
  close(first[1]);
  assert(poll(wanted, 1, 5) == 1 && wanted[0].revents == (POLLIN | POLLHUP));
}
