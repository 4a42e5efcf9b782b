// Bytes come into memory by the kernel or a stream, and the same functions take them from there.
// What comes through a pipe is ordered with what was done before it was sent.
// check: verdict=ok
// check READ: verdict=error findings=race builds=two
// check LINE: verdict=error findings=race builds=two
// check SENT: verdict=error findings=race builds=two
#include <stdio.h>
#include <unistd.h>

#include "parallel.h"

int ends[2];
FILE* file;
char buffer[16], sent[16] = "abc";

void* first(void* unused) {
#ifdef READ
  read(ends[0], buffer, 1);  // mazurka[READ]: race
#elif defined LINE
  fgets(buffer, sizeof buffer, file);  // mazurka[LINE]: race
#else
  char own[4];
  read(ends[0], own, 1);
  sent[1] = 'x';  // mazurka[SENT]: race
#endif
  return NULL;
}

void* second(void* unused) {
#ifdef READ
  read(ends[0], buffer, 1);  // mazurka[READ]: race
#elif defined LINE
  fgets(buffer, sizeof buffer, file);  // mazurka[LINE]: race
#elif defined SENT
  write(ends[1], "go", 2);
  write(ends[1], sent, 3);  // mazurka[SENT]: race
#else
  write(ends[1], sent, 3);
#endif
  return NULL;
}

int main() {
  pipe(ends);
#ifdef READ
  write(ends[1], "ab", 2);
#elif defined LINE
  file = fopen("/etc/passwd", "r");
#endif
  both(first, second);
}
