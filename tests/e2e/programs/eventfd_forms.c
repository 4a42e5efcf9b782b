// expect: executions=5 transitions=24 verdict=ok
// A counter that adds up; with EFD_SEMAPHORE it gives one at a time.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int counter, single;

static void* adder(void* unused) {
  uint64_t two = 2;
  assert(write(counter, &two, 8) == 8);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  uint64_t value;
  counter = eventfd(0, 0);
  single = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
  assert(counter >= 0 && single >= 0);
  assert(read(single, &value, 8) == 8 && value == 1 && eventfd_read(single, &value) == 0 &&
         value == 1);
  assert(read(single, &value, 8) == -1 && errno == EAGAIN && read(single, &value, 4) == -1 &&
         errno == EINVAL);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, adder, NULL);
  assert(read(counter, &value, 8) == 8 && (value == 2 || value == 4));
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
