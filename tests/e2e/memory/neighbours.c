// Bytes and fields beside each other are no race, not even in one word.
// check: verdict=ok executions=1
// check BROKEN: verdict=error findings=race
#include <string.h>

#include "parallel.h"

char bytes[16];
struct {
  char a;
  short b;
  int c;
} record;

void* first(void* unused) {
  bytes[0] = 1;
  bytes[2] = 1;
  memset(bytes + 4, 1, 3);
  record.a = 1;
  record.c = 1;
#ifdef BROKEN
  bytes[7] = 1;  // mazurka: race
#endif
  return NULL;
}

void* second(void* unused) {
  bytes[1] = 2;
  bytes[3] = 2;
  memset(bytes + 7, 2, 9);  // mazurka: race
  record.b = 2;
  return NULL;
}

int main() {
  both(first, second);
  assert(bytes[0] + bytes[1] + bytes[2] + bytes[3] == 6 && bytes[6] == 1 && record.b == 2);
}
