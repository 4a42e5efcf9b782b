// A seqlock: a writer makes the count odd, writes, and makes it even again; a reader starts over if
// it saw an odd one or a change.
// check: verdict=ok
// check BROKEN: verdict=error findings=assertion
#include <stdatomic.h>

#include "parallel.h"

atomic_int sequence, x, y;

void* writer(void* unused) {
  sequence++;
  x = 1;
  y = 1;
  sequence++;
  return NULL;
}

void* reader(void* unused) {
  int before, seen_x, seen_y;
  do {
    before = sequence;
    seen_x = x;
    seen_y = y;
#ifdef BROKEN
  } while (before != sequence);
#else
  } while (before % 2 != 0 || before != sequence);
#endif
  assert(seen_x == seen_y);  // mazurka: assertion
  return NULL;
}

int main() { both(writer, reader); }
