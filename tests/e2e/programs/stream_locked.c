// expect: executions=1 transitions=9 optimal=1 verdict=ok
// flockfile keeps others from the stream, also while its holder waits for something else.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* print(void* unused) {
  printf("hello\n");
  return unused;
}

int main(void) {
  pthread_t other;
  flockfile(stdout);
  pthread_create(&other, NULL, print, NULL);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  assert(ftrylockfile(stdout) == 0);
  funlockfile(stdout);
  funlockfile(stdout);
  pthread_join(other, NULL);
}
