// A Treiber stack whose nodes are pushed again: between its look and its compare-exchange, a thread
// may miss that the top has gone and come back with another node below it (ABA). With a count
// beside the pointer, it does not.
// check: verdict=ok
// check BROKEN: verdict=error findings=assertion
#include <stdatomic.h>
#include <stdint.h>

#include "parallel.h"

// Nodes are numbers from 1; 0 is none.
atomic_int next_of[4];
_Atomic uint64_t top = 1;  // a count above the number
atomic_int taken[4];

static int node_of(uint64_t top_word) { return (int)(uint32_t)top_word; }

static uint64_t changed(uint64_t old, int node) {
#ifdef BROKEN
  return (uint64_t)node;
#else
  return ((old >> 32) + 1) << 32 | (uint64_t)node;
#endif
}

void push(int node) {
  uint64_t old = top;
  do {
    next_of[node] = node_of(old);
  } while (!atomic_compare_exchange_strong(&top, &old, changed(old, node)));
}

int pop(void) {
  uint64_t old = top;
  while (node_of(old) != 0 &&
         !atomic_compare_exchange_strong(&top, &old, changed(old, next_of[node_of(old)]))) {
  }
  return node_of(old);
}

__attribute__((noinline)) void take(int node) {
  if (node != 0) assert(atomic_exchange(&taken[node], 1) == 0);  // mazurka: assertion
}

void* pops_once(void* unused) {
  take(pop());
  return NULL;
}

void* pops_and_pushes(void* unused) {
  const int first = pop();
  take(pop());
  if (first != 0) push(first);
  return NULL;
}

int main() {
  next_of[1] = 2;
  both(pops_once, pops_and_pushes);
  take(pop());
  take(pop());
}
