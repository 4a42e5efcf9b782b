// expect: executions=25 transitions=167 verdict=ok
// A signal wakes one of two waiters, and either may be it. Conditions set up on the heap, with the
// monotonic clock.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct Gate {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  int tickets, through;
};

static void* waiter(void* argument) {
  struct Gate* gate = argument;
  assert(pthread_mutex_lock(&gate->mutex) == 0);
  while (gate->tickets == 0) assert(pthread_cond_wait(&gate->condition, &gate->mutex) == 0);
  --gate->tickets;
  ++gate->through;
  assert(pthread_cond_signal(&gate->condition) == 0);
  assert(pthread_mutex_unlock(&gate->mutex) == 0);
  return NULL;
}

int main(void) {
  struct Gate* gate = malloc(sizeof *gate);
  pthread_condattr_t attributes;
  assert(pthread_condattr_init(&attributes) == 0);
  assert(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0);
  assert(pthread_mutex_init(&gate->mutex, NULL) == 0);
  assert(pthread_cond_init(&gate->condition, &attributes) == 0);
  gate->tickets = gate->through = 0;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) assert(pthread_create(&threads[i], NULL, waiter, gate) == 0);
  assert(pthread_mutex_lock(&gate->mutex) == 0);
  gate->tickets = 2;
  assert(pthread_cond_signal(&gate->condition) == 0);
  assert(pthread_mutex_unlock(&gate->mutex) == 0);
  for (int i = 0; i < 2; ++i) assert(pthread_join(threads[i], NULL) == 0);
  assert(gate->through == 2 && gate->tickets == 0);
  assert(pthread_cond_destroy(&gate->condition) == 0);
  assert(pthread_mutex_destroy(&gate->mutex) == 0);
  free(gate);
}
