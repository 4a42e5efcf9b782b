// expect: executions=29 transitions=187 verdict=ok
// Wait, trywait, post and getvalue of a semaphore that two threads use, and their errors.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static int
    available;  // what the semaphore should count: each call and what follows it are one transition

static void* user(void* unused) {
  assert(sem_wait(&semaphore) == 0);
  --available;
  int value = -1;
  assert(sem_getvalue(&semaphore, &value) == 0 && value == available);
  assert(sem_post(&semaphore) == 0);
  ++available;
  return unused;
}

int main(void) {
  assert(sem_init(&semaphore, 0, (unsigned)SEM_VALUE_MAX + 1u) == -1 && errno == EINVAL);
  assert(sem_init(&semaphore, 0, 1) == 0);
  available = 1;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) assert(pthread_create(&threads[i], NULL, user, NULL) == 0);
  const int error = sem_trywait(&semaphore);
  assert((error == 0) == (available == 1));
  if (error == 0) {
    --available;
    assert(sem_post(&semaphore) == 0);
    ++available;
  } else {
    assert(errno == EAGAIN);
  }
  for (int i = 0; i < 2; ++i) assert(pthread_join(threads[i], NULL) == 0);
  assert(available == 1);
  assert(sem_destroy(&semaphore) == 0);
  assert(sem_init(&semaphore, 0, SEM_VALUE_MAX) == 0);
  assert(sem_post(&semaphore) == -1 && errno == EOVERFLOW);
}
