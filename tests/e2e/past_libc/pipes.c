// Two threads send each other a byte. BUG: each reads first.
// check: verdict=ok
// check BUG: verdict=error findings=deadlock
#include <pthread.h>

#include "calls.h"

static int there[2];
static int back[2];

static void* answer(void* unused) {
  char byte = 0;
  CALL(SYS_read, there[0], &byte, 1);
  CALL(SYS_write, back[1], &byte, 1);
  return unused;
}

int main(void) {
  char byte = 1;
  CALL(SYS_pipe2, there, 0, 0);
  CALL(SYS_pipe, back, 0, 0);
  pthread_t thread;
  pthread_create(&thread, 0, answer, 0);
#ifndef BUG
  CALL(SYS_write, there[1], &byte, 1);
#endif
  CALL(SYS_read, back[0], &byte, 1);
  pthread_join(thread, 0);
  return byte != 1;
}
