// Accesses by memcpy, memmove, memset, memcmp and libc's functions on strings are seen like others.
// check: verdict=ok
// check COPY: verdict=error findings=race builds=two
// check MOVE: verdict=error findings=race builds=two
// check SET: verdict=error findings=race builds=two
// check COMPARE: verdict=error findings=race builds=two
// check TEXT: verdict=error findings=race builds=two
// check BOUNDED: verdict=error findings=race builds=two
// check APPEND: verdict=error findings=race builds=two
// check FIND: verdict=error findings=race builds=two
// check DUPLICATE: verdict=error findings=race builds=two
#include <stdlib.h>
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
#elif defined BOUNDED
  strncpy(text, other, size);  // mazurka[BOUNDED]: race
#elif defined APPEND
  strcat(text, other);  // mazurka[APPEND]: race
#elif defined FIND
  if (strchr(text, (int)size) != NULL) other[0] = 1;  // mazurka[FIND]: race
#elif defined DUPLICATE
  char* const copy = strdup(text);  // mazurka[DUPLICATE]: race
  other[8] = copy[1];
  free(copy);
#endif
  return NULL;
}

int main() { both(works_on_text, works); }
