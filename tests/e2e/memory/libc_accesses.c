// What functions of libc read and write counts as accesses of those who call them. One thread works
// under a lock; the other one does so, too, or (UNLOCKED) not.
// check: verdict=ok
// check UNLOCKED: verdict=error findings=race
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <wchar.h>

#include "parallel.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char printed[32] = "7", names[4][8] = {"d", "c", "b", "a"};
wchar_t wide[8];
int scanned;
struct timespec now;
struct stat status;
char* end;

int in_order(const void* a, const void* b) {
  return memcmp(a, b, 1);  // mazurka[UNLOCKED]: race
}

void enter() {
#ifndef UNLOCKED
  pthread_mutex_lock(&mutex);
#endif
}

void leave() {
#ifndef UNLOCKED
  pthread_mutex_unlock(&mutex);
#endif
}

void* calls(void* unused) {
  enter();
  sscanf(printed, "%d", &scanned);                   // mazurka[UNLOCKED]: race
  snprintf(printed, sizeof printed, "%d", scanned);  // mazurka[UNLOCKED]: race
  qsort(names, 4, sizeof names[0], in_order);        // mazurka[UNLOCKED]: race
  clock_gettime(CLOCK_MONOTONIC, &now);              // mazurka[UNLOCKED]: race
  stat("/", &status);                                // mazurka[UNLOCKED]: race
  wmemset(wide, L'x', 4);                            // mazurka[UNLOCKED]: race
  strtol(printed, &end, 10);                         // mazurka[UNLOCKED]: race
  leave();
  return NULL;
}

void* uses(void* unused) {
  enter();
  scanned = 5;         // mazurka[UNLOCKED]: race
  printed[0] = '1';    // mazurka[UNLOCKED]: race
  names[3][0] = 'b';   // mazurka[UNLOCKED]: race
  now.tv_sec = 1;      // mazurka[UNLOCKED]: race
  status.st_size = 1;  // mazurka[UNLOCKED]: race
  wide[1] = L'y';      // mazurka[UNLOCKED]: race
  end = printed;       // mazurka[UNLOCKED]: race
  leave();
  return NULL;
}

int main() { both(calls, uses); }
