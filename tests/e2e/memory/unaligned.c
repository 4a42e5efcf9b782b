// Accesses that lie across words, and atomic ones of different sizes on the same bytes.
// check: verdict=ok
// check BROKEN: verdict=error findings=race
// check TORN: verdict=error findings=assertion
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "parallel.h"

struct __attribute__((packed)) Record {
  char pad[5];
  uint64_t number;  // bytes 5 to 12
  char last;        // byte 13
};
_Alignas(16) struct Record record;

union Word {
  _Atomic uint32_t whole;
  _Atomic uint16_t halves[2];
} word;

void* writes_number(void* unused) {
  record.number = UINT64_MAX;  // mazurka: race
  word.halves[0] = 1;
  word.halves[1] = 1;
  return NULL;
}

void* writes_around(void* unused) {
  record.pad[4] = 1;
  record.last = 1;
#ifdef BROKEN
  ((volatile char*)&record)[12] = 1;  // mazurka: race
#endif
  const uint32_t seen = word.whole;
#ifdef TORN
  assert(seen == 0 || seen == 0x10001);  // mazurka: assertion
#else
  assert(seen == 0 || seen == 1 || seen == 0x10001);
#endif
  return NULL;
}

int main() {
  both(writes_number, writes_around);
  assert(word.whole == 0x10001);
}
