// The reader waits for the end of the stream. BUG: the copy of the end for writing stays open.
// check: verdict=ok
// check BUG: verdict=error findings=deadlock
#include <pthread.h>
#include <unistd.h>

#include "calls.h"

static int ends[2];

static void* read_all(void* unused) {
  char byte;
  while (read(ends[0], &byte, 1) == 1) continue;
  return unused;
}

int main(void) {
  if (pipe(ends) != 0) return 2;
  const long copy = CALL(SYS_dup, ends[1], 0, 0);
  CALL(SYS_close, ends[1], 0, 0);
  pthread_t thread;
  pthread_create(&thread, 0, read_all, 0);
  CALL(SYS_write, copy, "x", 1);
#ifndef BUG
  CALL(SYS_close, copy, 0, 0);
#endif
  pthread_join(thread, 0);
  return 0;
}
