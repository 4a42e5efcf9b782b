// What threads do before the first choice is the same in every execution, and done only once for
// all of them. Later accesses must still find it: here they come in one execution of many. check
// WRITTEN: verdict=error findings=race check READ_BY_SEVERAL: verdict=error findings=race check
// PARTS: verdict=error findings=race check ORDERED: verdict=ok
// check: verdict=ok
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../../../include/mazurka/mazurka.h"
#include "parallel.h"

enum { kChoices = 30, kLate = 25 };

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int turns;
int seen[4];
char* text;

static int my_turn(void) {
  pthread_mutex_lock(&mutex);
  const int mine = turns++;
  pthread_mutex_unlock(&mutex);
  return mine;
}

static void* work(void* number) {
  const long me = (long)number;
#if defined(WRITTEN)
  if (me == 1) text[0] = 'w';  // mazurka[WRITTEN]: race
#elif defined(READ_BY_SEVERAL)
  if (me >= 1) seen[me] = text[0];  // mazurka[READ_BY_SEVERAL]: race
#elif defined(PARTS)
  text[me] = 'p';
  if (me == 1) text[4] = 'q';  // mazurka[PARTS]: race
#elif defined(ORDERED)
  if (me == 1) text[0] = 'o';
#endif
  if (me != 0) {
    my_turn();
    return NULL;
  }
  if (mz_toss(kChoices) != kLate) return NULL;
#if defined(WRITTEN)
  seen[0] = text[0];  // mazurka[WRITTEN]: race
#elif defined(READ_BY_SEVERAL)
  text[0] = 'r';                    // mazurka[READ_BY_SEVERAL]: race
#elif defined(PARTS)
  text[4] = 'r';               // mazurka[PARTS]: race
#elif defined(ORDERED)
  if (my_turn() == 3) seen[0] = text[0];
#else
  if (strcmp(text, "main") != 0) abort();
#endif
  return NULL;
}

int main(void) {
  text = malloc(8);
  strcpy(text, "main");
  all(4, work);
  for (int i = 0; i < 4; ++i) seen[i] += text[i];
  free(text);
}
