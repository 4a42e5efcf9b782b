// expect: executions=1 transitions=302 verdict=ok
// A hundred threads alive at once, each waiting for the one before.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

enum { kThreads = 100 };

static sem_t turns[kThreads + 1];
static int order[kThreads], finished;

static void* in_turn(void* argument) {
  const intptr_t number = (intptr_t)argument;
  assert(sem_wait(&turns[number]) == 0);
  order[finished++] = (int)number;
  assert(sem_post(&turns[number + 1]) == 0);
  return argument;
}

int main(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i <= kThreads; ++i) assert(sem_init(&turns[i], 0, 0) == 0);
  for (intptr_t i = 0; i < kThreads; ++i)
    assert(pthread_create(&threads[i], NULL, in_turn, (void*)i) == 0);
  assert(sem_post(&turns[0]) == 0);
  assert(sem_wait(&turns[kThreads]) == 0);
  for (intptr_t i = 0; i < kThreads; ++i) {
    void* result = NULL;
    assert(pthread_join(threads[i], &result) == 0 && result == (void*)i && order[i] == i);
  }
  assert(finished == kThreads);
}
