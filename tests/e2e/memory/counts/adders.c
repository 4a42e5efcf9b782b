// N threads add to a counter, K times each.
#include <stdatomic.h>
#include <stdlib.h>

#include "../parallel.h"

atomic_int counter;
int rounds;

void* work(void* unused) {
  for (int i = 0; i < rounds; ++i) counter++;
  return NULL;
}

int main(int count, char** arguments) {
  rounds = atoi(arguments[2]);
  all(atoi(arguments[1]), work);
}
