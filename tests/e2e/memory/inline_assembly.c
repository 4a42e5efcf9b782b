// Barriers and pauses in assembly are nothing to interleave, and what it does to a thread's own
// variables is the thread's business.
// check: verdict=ok
// check BROKEN: verdict=error findings=race orders=weak
#include <stdatomic.h>

#include "parallel.h"

atomic_int ready;
int data;

void* sends(void* unused) {
  data = 42;  // mazurka: race
  __asm__ volatile("mfence" ::: "memory");
#ifdef BROKEN
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
#else
  ready = 1;
#endif
  return NULL;
}

void* receives(void* unused) {
  int own = 1;
  while (!ready) __asm__ volatile("pause" ::: "memory");
  __asm__ volatile("addl $1, %0" : "+m"(own));
  data += own;  // mazurka: race
  return NULL;
}

int main() {
  both(sends, receives);
  return data != 44;
}
