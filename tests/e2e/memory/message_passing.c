// A plain variable is written, then a flag says so. Release and acquire order the two, relaxed
// operations do not; fences do.
// check: verdict=ok executions=2 orders=weak
// check RELAXED: verdict=error findings=race orders=weak builds=two
// check RELAXED_STORE: verdict=error findings=race orders=weak builds=two
// check RELAXED_LOAD: verdict=error findings=race orders=weak builds=two
// check FENCES: verdict=ok orders=weak builds=two
// check RELEASE_FENCE: verdict=error findings=race orders=weak builds=two
// check UPDATE: verdict=ok orders=weak builds=two
// check OVERWRITTEN: verdict=ok orders=weak builds=two
#include <stdatomic.h>

#include "parallel.h"

#if defined RELAXED || defined FENCES || defined RELEASE_FENCE
enum { kStore = memory_order_relaxed, kLoad = memory_order_relaxed };
#elif defined RELAXED_STORE
enum { kStore = memory_order_relaxed, kLoad = memory_order_acquire };
#elif defined RELAXED_LOAD
enum { kStore = memory_order_release, kLoad = memory_order_relaxed };
#else
enum { kStore = memory_order_release, kLoad = memory_order_acquire };
#endif

atomic_int flag;
int data;

void* sends(void* unused) {
  data = 42;  // mazurka: race
#if defined FENCES || defined RELEASE_FENCE
  atomic_thread_fence(memory_order_release);
#endif
  atomic_store_explicit(&flag, 1, kStore);
#if defined UPDATE  // an update by anybody goes on with the release
  atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
#elif defined OVERWRITTEN  // by C17 a store of the same thread does, too
  atomic_store_explicit(&flag, 2, memory_order_relaxed);
#endif
  return NULL;
}

void* receives(void* unused) {
#if defined UPDATE || defined OVERWRITTEN
  const int wanted = 2;
#else
  const int wanted = 1;
#endif
  if (atomic_load_explicit(&flag, kLoad) != wanted) return NULL;
#ifdef FENCES
  atomic_thread_fence(memory_order_acquire);
#endif
  assert(data == 42);  // mazurka: race
  return NULL;
}

int main() { both(sends, receives); }
