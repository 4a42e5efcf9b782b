// expect: executions=144 transitions=688 verdict=ok
// Two threads meet three times at one barrier. Each round has one serial thread, and nobody runs
// ahead.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

enum { kRounds = 3 };

static pthread_barrier_t barrier;
static int arrived[kRounds], serial[kRounds];

static void* walker(void* unused) {
  for (int round = 0; round < kRounds; ++round) {
    ++arrived[round];
    const int result = pthread_barrier_wait(&barrier);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    if (result == PTHREAD_BARRIER_SERIAL_THREAD) ++serial[round];
    assert(arrived[round] == 2);
  }
  return unused;
}

int main(void) {
  assert(pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
  assert(pthread_barrier_init(&barrier, NULL, 2) == 0);
  pthread_t thread;
  assert(pthread_create(&thread, NULL, walker, NULL) == 0);
  walker(NULL);
  assert(pthread_join(thread, NULL) == 0);
  for (int round = 0; round < kRounds; ++round) assert(serial[round] == 1);
  assert(pthread_barrier_destroy(&barrier) == 0);
}
