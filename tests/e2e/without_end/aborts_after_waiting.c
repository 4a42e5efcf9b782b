// expect: exit=1 finding=crash
// Every run aborts once the byte has come. But the loop comes round for as long as nobody else
// moves.
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int ends[2];

static void* writer(void* unused) { return write(ends[1], "x", 1) == 1 ? unused : ends; }

int main(void) {
  pthread_t thread;
  if (pipe(ends) != 0) return 1;
  pthread_create(&thread, NULL, writer, NULL);
  struct pollfd looked_at = {ends[0], POLLIN, 0};
  while (poll(&looked_at, 1, 100) == 0) {
  }
  abort();
}
