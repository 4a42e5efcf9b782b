// expect: executions=8 transitions=65 verdict=ok
// Futexes by syscall(): a wait compares first, a wake tells how many, a timeout is an outcome.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint32_t word;
static int waiting;

static long futex(int operation, uint32_t value, const struct timespec* time) {
  return syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, time, NULL,
                 FUTEX_BITSET_MATCH_ANY);
}

static void* waiter(void* unused) {
  while (__atomic_load_n(&word, __ATOMIC_SEQ_CST) == 0) {
    ++waiting;
    const long result = futex(FUTEX_WAIT, 0, NULL);
    assert(result == 0 || errno == EAGAIN);
    --waiting;
  }
  return unused;
}

static void* impatient(void* unused) {
  struct timespec deadline;
  assert(clock_gettime(CLOCK_REALTIME, &deadline) == 0);
  ++deadline.tv_sec;
  const long result = futex(FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 0, &deadline);
  struct timespec now;
  assert(clock_gettime(CLOCK_REALTIME, &now) == 0);
  const int past = now.tv_sec > deadline.tv_sec ||
                   (now.tv_sec == deadline.tv_sec && now.tv_nsec >= deadline.tv_nsec);
  assert(result == 0 || (errno == EAGAIN && word == 1) || (errno == ETIMEDOUT && past));
  return unused;
}

int main(void) {
  assert(syscall(SYS_getpid) == getpid() && syscall(SYS_gettid) == gettid());
  pthread_t threads[2];
  assert(pthread_create(&threads[0], NULL, waiter, NULL) == 0);
  assert(pthread_create(&threads[1], NULL, impatient, NULL) == 0);
  word = 1;
  const long woken = futex(FUTEX_WAKE, INT_MAX, NULL);
  assert(woken >= 0 && woken <= 2);
  for (int i = 0; i < 2; ++i) assert(pthread_join(threads[i], NULL) == 0);
  assert(waiting == 0);
  assert(futex(FUTEX_WAKE, 1, NULL) == 0);
  assert(futex(FUTEX_WAIT, 0, NULL) == -1 && errno == EAGAIN);
  const struct timespec invalid = {0, -1}, moment = {0, 1000};
  assert(futex(FUTEX_WAIT, 1, &invalid) == -1 && errno == EINVAL);
  assert(futex(FUTEX_WAIT, 1, &moment) == -1 && errno == ETIMEDOUT);
}
