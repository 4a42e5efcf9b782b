// A handler runs in the thread that it interrupts: what both write there is no race. With another
// thread it may be one.
// check: verdict=ok
// check BROKEN: verdict=error findings=race
#include <signal.h>
#include <stdatomic.h>

#include "parallel.h"

volatile sig_atomic_t seen;
int data;
atomic_int is_handled;

void handler(int signal) {
  seen = signal;
  data = 2;  // mazurka: race
}

void* raises(void* unused) {
  data = 1;  // mazurka: race
  raise(SIGUSR1);
  seen = 0;
  is_handled = 1;
  return NULL;
}

void* waits(void* unused) {
#ifndef BROKEN
  while (!is_handled) {
  }
#endif
  data = 3;  // mazurka: race
  return NULL;
}

int main() {
  signal(SIGUSR1, handler);
  both(raises, waits);
}
