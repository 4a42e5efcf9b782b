// Accesses by memcpy, memmove, memset, memcmp, strlen, strcpy and strcmp are seen like others.
// check: verdict=ok
// check COPY: verdict=error findings=race builds=two
// check MOVE: verdict=error findings=race builds=two
// check SET: verdict=error findings=race builds=two
// check COMPARE: verdict=error findings=race builds=two
// check TEXT: verdict=error findings=race builds=two
#include <string.h>

#include "parallel.h"

char text[32] = "abc", other[32], last[32];
volatile size_t size = 5;

void* works_on_text(void* unused) {
  text[2] = 'x';  // mazurka: race
  return NULL;
}

void* works(void* unused) {
  memcpy(other + 8, last, size);
  memset(other, 1, size);
#ifdef COPY
  memcpy(other, text, size);  // mazurka[COPY]: race
#elif defined MOVE
  memmove(text + 1, text, size);  // mazurka[MOVE]: race
#elif defined SET
  memset(text, 1, size);  // mazurka[SET]: race
#elif defined COMPARE
  if (memcmp(text, "abcde", size) == 0) other[0] = 1;  // mazurka[COMPARE]: race
#elif defined TEXT
  if (strlen(text) == 3) other[0] = 1;  // mazurka[TEXT]: race
#endif
  return NULL;
}

int main() { both(works_on_text, works); }
