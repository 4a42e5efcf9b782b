// check: verdict=ok
// check --reuse: verdict=error findings=assertion
// check -DPTHREAD: verdict=ok
// check -DPTHREAD --reuse: verdict=error findings=assertion
// check -DLOCAL: verdict=ok
// check -DLOCAL --reuse: verdict=error findings=assertion
// check -DKEPT --reuse: verdict=ok
// A block that one thread freed never comes to another, nor does a pthread_t; but with --reuse.
// LOCAL: the address is kept in a local variable alone. KEPT: the block is not freed.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef LOCAL
static uintptr_t kept;
#endif

static void* compare(void* known) {
#ifdef PTHREAD
  const uintptr_t mine = pthread_self();
#else
  void* const block = malloc(100);
  const uintptr_t mine = (uintptr_t)block;
#ifndef KEPT
  free(block);
#endif
#endif
  assert(mine != *(uintptr_t*)known);
  *(uintptr_t*)known = mine;
  return NULL;
}

int main(void) {
#ifdef LOCAL
  uintptr_t kept = 0;
#endif
  for (int i = 0; i < 2; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, compare, &kept);
    pthread_join(thread, NULL);
  }
}
