// expect: executions=26 transitions=160 verdict=ok
// Readers share the lock, a writer has it alone, the try forms never wait.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int readers, writers;

static void* reader(void* unused) {
  assert(pthread_rwlock_rdlock(&lock) == 0);
  ++readers;
  assert(writers == 0);
  assert(pthread_rwlock_unlock(&lock) == 0);
  return unused;
}

static void* try_reader(void* unused) {
  const int error = pthread_rwlock_tryrdlock(&lock);
  assert(error == (writers ? EBUSY : 0));
  if (error == 0) assert(pthread_rwlock_unlock(&lock) == 0);
  return unused;
}

int main(void) {
  pthread_t first, second;
  assert(pthread_create(&first, NULL, reader, NULL) == 0);
  assert(pthread_create(&second, NULL, try_reader, NULL) == 0);
  assert(pthread_rwlock_wrlock(&lock) == 0);
  writers = 1;
  assert(pthread_rwlock_rdlock(&lock) == EDEADLK);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  assert(pthread_rwlock_unlock(&lock) == 0);
  writers = 0;  // what follows a call belongs to its transition
  assert(pthread_join(first, NULL) == 0);
  assert(pthread_join(second, NULL) == 0);
  assert(readers == 1);
  assert(pthread_rwlock_destroy(&lock) == 0);
}
