// A function of libc that nobody has told us about is named, but only if it is called while there
// are other threads.
// check: verdict=incomplete unknown=tsearch
// check ALONE: verdict=ok
#include <search.h>
#include <stdlib.h>

#include "parallel.h"

void* tree;
int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
int numbers[2] = {1, 2};

void* work(void* number) {
#ifndef ALONE
  tsearch(&numbers[(long)number], &tree, compare);
#endif
  return NULL;
}

int main() {
  tsearch(&numbers[0], &tree, compare);
  all(2, work);
  tsearch(&numbers[1], &tree, compare);
}
