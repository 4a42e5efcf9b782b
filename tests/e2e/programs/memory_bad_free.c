// expect: verdict=error findings=memory
// Frees what is no block: in the middle of one, on the stack, and a block that realloc has moved
// away.
#include <pthread.h>
#include <stdlib.h>

#include "mazurka/mazurka.h"

#pragma GCC diagnostic ignored "-Wfree-nonheap-object"

int main(void) {
  char local[16];
  char* block = malloc(16);
  switch (mz_toss(3)) {
    case 0:
      free(block + 8);  // mazurka: memory
      break;
    case 1:
      free(local);  // mazurka: memory
      break;
    case 2: {
      char* moved = realloc(block, 100000);
      if (moved != block) free(block);  // mazurka: memory
      free(moved);
      break;
    }
    default:
      block = realloc((free(block), block), 32);  // mazurka: memory
  }
  return 0;
}
