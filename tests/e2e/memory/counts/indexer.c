// N threads put four numbers each into a hash table. Up to 11 threads do not meet.
#include <stdatomic.h>
#include <stdlib.h>

#include "../parallel.h"

enum { kSize = 128, kNumbers = 4 };
atomic_int table[kSize];

void* work(void* thread) {
  for (int i = 1; i <= kNumbers; ++i) {
    const int number = i * 11 + (int)(long)thread;
    int place = number * 7 % kSize;
    for (int empty = 0; !atomic_compare_exchange_strong(&table[place], &empty, number); empty = 0) {
      place = (place + 1) % kSize;
    }
  }
  return NULL;
}

int main(int count, char** arguments) { all(atoi(arguments[1]), work); }
