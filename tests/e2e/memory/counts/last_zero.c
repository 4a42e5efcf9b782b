// Thread i of N sets element i to one more than its neighbour below; another thread looks for the
// last element that is zero.
#include <stdatomic.h>
#include <stdlib.h>

#include "../parallel.h"

#ifdef PLAIN
volatile int elements[64];
#else
atomic_int elements[64];
#endif
long limit;

void* work(void* number) {
  const long i = (long)number;
  if (i > 0) {
    elements[i] = elements[i - 1] + 1;
  } else {
    long last = limit;
    while (elements[last] != 0) --last;
  }
  return NULL;
}

int main(int count, char** arguments) {
  limit = atoi(arguments[1]);
  all(1 + limit, work);
}
