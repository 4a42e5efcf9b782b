// expect: executions=14 transitions=132 verdict=ok
// Spin locks: waiting is waiting, not a loop. On the heap and on the stack, set up again after
// destroy.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_spinlock_t* lock;
static int held, counter;

static void* adder(void* unused) {
  assert(pthread_spin_lock(lock) == 0);
  assert(!held);
  held = 1;
  ++counter;
  assert(pthread_spin_unlock(lock) == 0);
  held = 0;
  return unused;
}

static void* try_adder(void* unused) {
  const int error = pthread_spin_trylock(lock);
  assert(error == (held ? EBUSY : 0));
  if (error != 0) return unused;
  held = 1;
  ++counter;
  assert(pthread_spin_unlock(lock) == 0);
  held = 0;
  return unused;
}

int main(void) {
  lock = malloc(sizeof *lock);
  assert(pthread_spin_init(lock, PTHREAD_PROCESS_PRIVATE) == 0);
  pthread_t threads[2];
  assert(pthread_create(&threads[0], NULL, adder, NULL) == 0);
  assert(pthread_create(&threads[1], NULL, try_adder, NULL) == 0);
  adder(NULL);
  for (int i = 0; i < 2; ++i) assert(pthread_join(threads[i], NULL) == 0);
  assert(counter >= 2 && counter <= 3);
  assert(pthread_spin_destroy(lock) == 0);
  free((void*)lock);
  for (int i = 0; i < 2; ++i) {
    pthread_spinlock_t local;
    assert(pthread_spin_init(&local, PTHREAD_PROCESS_PRIVATE) == 0);
    assert(pthread_spin_lock(&local) == 0);
    assert(pthread_spin_unlock(&local) == 0);
    assert(pthread_spin_destroy(&local) == 0);
  }
}
