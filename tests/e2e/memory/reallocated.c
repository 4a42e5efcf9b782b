// realloc ends the old block, wherever the new one lies; and an allocation is an access to its
// block, also to bytes that nobody wrote since (ZEROED).
// check: verdict=ok
// check BROKEN: verdict=error findings=race
// check MOVED: verdict=error findings=race
// check ZEROED: verdict=error findings=race orders=weak
#include <stdatomic.h>
#include <stdlib.h>

#include "parallel.h"

int* block;
int* kept;
atomic_int is_read;
_Atomic(int*) given;

void* reads(void* unused) {
#ifdef ZEROED
  int* other;
  while ((other = atomic_load_explicit(&given, memory_order_relaxed)) == NULL) {
  }
  (void)*(volatile int*)other;  // mazurka[ZEROED]: race
#else
  (void)*(volatile int*)block;  // mazurka: race
  is_read = 1;
#endif
  return NULL;
}

void* grows(void* unused) {
#if defined BROKEN
  int* const larger = realloc(block, sizeof *block + 1);  // mazurka[BROKEN]: race
#elif defined MOVED
  int* const larger = realloc(block, 4000);  // mazurka[MOVED]: race
#elif defined ZEROED
  int* const larger = block;
  int* const zero = calloc(1, sizeof(int));  // mazurka[ZEROED]: race
  atomic_store_explicit(&given, zero, memory_order_relaxed);
#else
  while (!is_read) {
  }
  int* const larger = realloc(block, 4000);
#endif
  kept = larger;
  return NULL;
}

int main() {
  int* const first = block = malloc(sizeof *block);
  *first = 1;
  both(reads, grows);
  free(kept);
  free(given);
}
