// built with mazurka-cc
// check: verdict=ok
// check -DASSEMBLY: verdict=ok
// Code of an instrumented program that does not tell its accesses.
#include <assert.h>
#include <pthread.h>

static int count;

__attribute__((no_sanitize("thread"), noinline)) static void add(void) {
#ifdef ASSEMBLY
  asm volatile("incl %0" : "+m"(count));
#else
  ++count;
#endif
}

static void* run(void* unused) {
  add();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  add();
  pthread_join(thread, NULL);
  assert(count == 2);
}
