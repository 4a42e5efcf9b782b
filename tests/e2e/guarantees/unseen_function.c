// built with mazurka-cc
// check: verdict=ok
// check -DASSEMBLY: verdict=ok
// check -DLOCKED: verdict=ok
// check -DPOINTER: verdict=ok
// check -DSEEN: verdict=error findings=race
// Code of an instrumented program that does not tell its accesses: a function that is excepted, or
// assembly: on a static variable, with a lock prefix, or by a pointer in a function that also does
// what is told. SEEN: the same without either.
#include <assert.h>
#include <pthread.h>

static int count;
static _Thread_local int told;

#if defined ASSEMBLY
__attribute__((noinline)) static void add(int* own) {
  ++*own;
  asm volatile("incl %0" : "+m"(count));
}
#elif defined LOCKED
__attribute__((noinline)) static void add(int* own) {
  ++*own;
  int* where = &count;
  asm volatile("" : "+r"(where));
  asm volatile("lock incl (%0)" : : "r"(where) : "memory");
}
#elif defined POINTER
__attribute__((noinline)) static void add(int* own) {
  ++*own;
  int* where = &count;
  asm volatile("" : "+r"(where));
  asm volatile("incl (%0)" : : "r"(where) : "memory");
}
#elif defined SEEN
__attribute__((noinline)) static void add(int* own) {
  ++*own;
  ++count;
}
#else
__attribute__((no_sanitize("thread"), noinline)) static void add(int* own) {
  ++*own;
  ++count;
}
#endif

static void* run(void* unused) {
  add(&told);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  add(&told);
  pthread_join(thread, NULL);
  assert(count == 2);
}
