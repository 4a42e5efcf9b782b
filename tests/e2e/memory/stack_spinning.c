// A thread waits for variables on its own stack, to which others write.
// check: verdict=ok
// check PLAIN: verdict=ok builds=two
// check PLAIN: verdict=ok options=--memory=visible builds=one compare=no
// check COUNTS: verdict=ok builds=two
// check NOBODY: verdict=error findings=deadlock builds=two
#include <pthread.h>
#include <stdatomic.h>

#include "parallel.h"

struct shared {
  atomic_int first, second;
  int sum, extra;
};

void* raise_first(void* memory) {
  struct shared* s = memory;
#ifdef PLAIN
  s->sum = 3;
#endif
  s->first = 1;
  return NULL;
}

void* raise_second(void* memory) {
  struct shared* s = memory;
#ifdef PLAIN
  s->extra = 4;
#endif
#ifndef NOBODY
  s->second = 1;
#endif
  return NULL;
}

int main() {
  struct shared s = {0};
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, raise_first, &s);
  pthread_create(&threads[1], NULL, raise_second, &s);
#ifdef COUNTS
  int looks = 0;
  while (!s.first && looks < 3) ++looks;  // each look is another state
  while (!s.second) {
  }
#else
  while (!s.first || !s.second) {  // mazurka: deadlock
  }
#endif
#ifdef PLAIN
  assert(s.sum == 3 && s.extra == 4);
#endif
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}
