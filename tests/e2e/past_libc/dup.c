// Puts the pipe in place of another descriptor. BUG: of one that the reader does not use.
// check: verdict=ok
// check BUG: verdict=error findings=deadlock
#include <pthread.h>
#include <unistd.h>

#include "calls.h"

static int first[2];
static int second[2];

static void* read_byte(void* unused) {
  char byte;
  read(second[0], &byte, 1);
  return unused;
}

int main(void) {
  if (pipe(first) != 0 || pipe(second) != 0) return 2;
#ifdef BUG
  CALL(SYS_dup2, second[1], first[1], 0);
  CALL(SYS_dup3, first[0], second[1], 0);
  const int to = second[1];
#else
  CALL(SYS_dup2, second[1], first[1], 0);
  CALL(SYS_dup3, first[1], second[1], 0);
  const int to = first[1];
#endif
  pthread_t thread;
  pthread_create(&thread, 0, read_byte, 0);
  CALL(SYS_write, to, "x", 1);
  pthread_join(thread, 0);
  return 0;
}
