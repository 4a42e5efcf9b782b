// expect: executions=2 transitions=16 verdict=ok
// The owner of a robust mutex ends without unlocking it: the next owner is told, and repairs it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int left_locked;

static void* leaver(void* unused) {
  const int error = pthread_mutex_lock(&mutex);
  assert(error == 0);
  left_locked = 1;
  return unused;
}

int main(void) {
  pthread_mutexattr_t attributes;
  assert(pthread_mutexattr_init(&attributes) == 0);
  assert(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
  assert(pthread_mutex_init(&mutex, &attributes) == 0);
  pthread_t thread;
  assert(pthread_create(&thread, NULL, leaver, NULL) == 0);
  const int error = pthread_mutex_lock(&mutex);
  assert(error == (left_locked ? EOWNERDEAD : 0));
  if (error == EOWNERDEAD) assert(pthread_mutex_consistent(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_join(thread, NULL) == 0);

  // Both orders end here with it usable or owned by the dead, never in between.
  const int again = pthread_mutex_trylock(&mutex);
  assert(again == (error == EOWNERDEAD ? 0 : EOWNERDEAD));
  assert(pthread_mutex_unlock(&mutex) == 0);
  // Unlocked without repair it can never be had again.
  if (again == EOWNERDEAD) assert(pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
}
