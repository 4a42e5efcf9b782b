// Heap memory that was freed and is used again, for something else, is new memory: no race.
// check: verdict=ok
// check BROKEN: verdict=error findings=race
#include <stdatomic.h>
#include <stdlib.h>

#include "parallel.h"

_Atomic(int*) handed_over;

void* makes(void* unused) {
  for (int i = 0; i < 3; ++i) {
    int* own = malloc(sizeof *own);
    *own = i;
    free(own);
  }
  int* given = malloc(sizeof *given);
  *given = 1;
  handed_over = given;
#ifdef BROKEN
  *(volatile int*)given = 2;  // mazurka: race
#endif
  return NULL;
}

void* frees(void* unused) {
  for (int i = 0; i < 3; ++i) {
    int* own = malloc(sizeof *own);
    *own = i;
    free(own);
  }
  int* got = atomic_exchange(&handed_over, NULL);
  if (got != NULL) {
    *(volatile int*)got = 3;  // mazurka: race
    free(got);                // mazurka: race
    int* next = malloc(sizeof *next);
    *next = 4;
    free(next);
  }
  return NULL;
}

int main() {
  both(makes, frees);
  free(handed_over);
}
