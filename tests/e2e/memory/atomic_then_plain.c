// Many threads use an atomic variable, and then one writes it as if it were none: a race with all
// of whom it does not know that they have done so. That the last has, it sees by the value of
// another variable, which orders nothing; the others are joined.
// check: verdict=error findings=race arguments=4 orders=weak
// check: verdict=error findings=race arguments=40 orders=weak compare=no builds=one
// check JOINED: verdict=ok arguments=4 orders=weak
// check ACQUIRES: verdict=ok arguments=4 orders=weak
// check STORES: verdict=error findings=race arguments=4 orders=weak compare=no
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int x;
atomic_int last_has_used_it;
long last;

#ifdef ACQUIRES
#define ORDER memory_order_seq_cst
#else
#define ORDER memory_order_relaxed
#endif

#ifdef STORES
#define USE_IT atomic_store_explicit(&x, 2, memory_order_relaxed)
#else
#define USE_IT atomic_load_explicit(&x, memory_order_relaxed)
#endif

void* use_it(void* number) {
  USE_IT;  // mazurka: race
  if ((long)number == last) atomic_store_explicit(&last_has_used_it, 1, ORDER);
  return NULL;
}

int main(int count, char** arguments) {
  pthread_t threads[64];
  last = atoi(arguments[1]) - 1;
  for (long i = 0; i <= last; ++i) pthread_create(&threads[i], NULL, use_it, (void*)i);
  for (long i = 0; i < last; ++i) pthread_join(threads[i], NULL);
#ifdef JOINED
  pthread_join(threads[last], NULL);
#endif
  if (atomic_load_explicit(&last_has_used_it, ORDER) == 1) {
    *(int*)&x = 1;  // mazurka: race
  }
#ifndef JOINED
  pthread_join(threads[last], NULL);
#endif
}
