// expect: executions=6 transitions=32 optimal=3 verdict=error findings=deadlock
// The lock of a stream is one like others: here it is taken in the other order.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* print(void* unused) {
  pthread_mutex_lock(&mutex);
  puts("hello");
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, print, NULL);
  flockfile(stdout);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  funlockfile(stdout);
  pthread_join(other, NULL);
}
