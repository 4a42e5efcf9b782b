// A thread that never comes to an operation.
#include <pthread.h>

static volatile int never;

static void* worker(void* unused) {
  for (unsigned long i = 0; !never; ++i) __asm__ volatile("" : : "r"(i));
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  return 0;
}
