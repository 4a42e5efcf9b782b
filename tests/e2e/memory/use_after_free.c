// One thread frees what the other reads.
// check: verdict=ok
// check BROKEN: verdict=error findings=race
#include <stdatomic.h>
#include <stdlib.h>

#include "parallel.h"

int* block;
atomic_int is_read;

void* reads(void* unused) {
  (void)*(volatile int*)block;  // mazurka: race
  is_read = 1;
  return NULL;
}

void* frees(void* unused) {
#ifndef BROKEN
  while (!is_read) {
  }
#endif
  free(block);  // mazurka: race
  return NULL;
}

int main() {
  block = malloc(sizeof *block);
  *block = 1;
  both(reads, frees);
}
