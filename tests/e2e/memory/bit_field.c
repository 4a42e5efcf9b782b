// Two fields of bits: to write one is to read and write the word that it shares with the other.
// check: verdict=ok
// check BROKEN: verdict=error findings=race
#include "parallel.h"

struct {
  unsigned first : 3;
#ifndef BROKEN
  unsigned : 0;  // the next one has a word of its own
#endif
  unsigned second : 3;
} bits;

void* write_first(void* unused) {
  bits.first = 1;  // mazurka: race
  return NULL;
}

void* write_second(void* unused) {
  bits.second = 2;  // mazurka: race
  return NULL;
}

int main() {
  both(write_first, write_second);
  assert(bits.first == 1 && bits.second == 2);
}
