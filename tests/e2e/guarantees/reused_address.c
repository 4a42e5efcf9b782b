// check: verdict=ok
// check -DPTHREAD: verdict=ok
// A block that one thread freed never comes to another, nor does a pthread_t.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static uintptr_t known;

static void* compare(void* unused) {
#ifdef PTHREAD
  const uintptr_t mine = pthread_self();
#else
  void* const block = malloc(100);
  const uintptr_t mine = (uintptr_t)block;
  free(block);
#endif
  assert(mine != known);
  known = mine;
  return unused;
}

int main(void) {
  for (int i = 0; i < 2; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, compare, NULL);
    pthread_join(thread, NULL);
  }
}
