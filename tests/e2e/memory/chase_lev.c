// A Chase-Lev work-stealing queue: its owner pushes and takes at the bottom, a thief steals at the
// top. For the last element the owner must compete with the thief.
// check: verdict=ok
// check BROKEN: verdict=error findings=assertion
#include <stdatomic.h>

#include "parallel.h"

enum { kSize = 4, kItems = 2 };
atomic_int items[kSize];
atomic_long top, bottom;
atomic_int done[kItems + 1];

void push(int item) {
  const long at = bottom;
  items[at % kSize] = item;
  bottom = at + 1;
}

int take(void) {
  const long at = bottom - 1;
  bottom = at;
  long first = top;
  if (first > at) {  // empty
    bottom = at + 1;
    return 0;
  }
  int item = items[at % kSize];
  if (first < at) return item;
#ifndef BROKEN
  if (!atomic_compare_exchange_strong(&top, &first, first + 1)) item = 0;
  bottom = at + 1;
#endif
  return item;
}

int steal(void) {
  long first = top;
  if (first >= bottom) return 0;
  const int item = items[first % kSize];
  return atomic_compare_exchange_strong(&top, &first, first + 1) ? item : 0;
}

__attribute__((noinline)) void use(int item) {
  if (item != 0) assert(done[item]++ == 0);  // mazurka: assertion
}

void* owner(void* unused) {
  for (int item = 1; item <= kItems; ++item) push(item);
  for (int i = 0; i < kItems; ++i) use(take());
  return NULL;
}

void* thief(void* unused) {
  use(steal());
  return NULL;
}

int main() {
  both(owner, thief);
  while (top < bottom) use(take());
#ifndef BROKEN
  for (int item = 1; item <= kItems; ++item) assert(done[item] == 1);
#endif
}
