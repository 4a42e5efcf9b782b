// expect: executions=1 transitions=139 verdict=ok
// A thread that sleeps two hundred times is not stuck: 64 times unseen, then as operations, and
// somebody waits for what comes after them. 136 sleeps, post, wait, join.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t go;

static void* waiter(void* unused) {
  sem_wait(&go);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&go, 0, 0);
  assert(pthread_create(&thread, NULL, waiter, NULL) == 0);
  for (int i = 0; i < 200; ++i) usleep(1000);
  sem_post(&go);
  assert(pthread_join(thread, NULL) == 0);
}
