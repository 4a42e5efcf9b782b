// expect: executions=6 transitions=28 verdict=ok
// Timed and clock forms time out only where the lock cannot be had; the clock is past the deadline
// then.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static int writing, reading;

static struct timespec after_one_second(clockid_t clock) {
  struct timespec time;
  assert(clock_gettime(clock, &time) == 0);
  ++time.tv_sec;
  return time;
}

static int is_past(clockid_t clock, struct timespec deadline) {
  struct timespec now;
  assert(clock_gettime(clock, &now) == 0);
  return now.tv_sec > deadline.tv_sec ||
         (now.tv_sec == deadline.tv_sec && now.tv_nsec >= deadline.tv_nsec);
}

static void* writer(void* unused) {
  const struct timespec deadline = after_one_second(CLOCK_REALTIME);
  const int error = pthread_rwlock_timedwrlock(&lock, &deadline);
  assert(error == (reading ? ETIMEDOUT : 0));
  assert(is_past(CLOCK_REALTIME, deadline) == (error != 0));
  if (error != 0) return unused;
  writing = 1;
  struct timespec invalid = {0, 1000000000};
  assert(pthread_rwlock_timedrdlock(&lock, &invalid) == EINVAL);
  assert(pthread_rwlock_clockrdlock(&lock, CLOCK_PROCESS_CPUTIME_ID, &deadline) == EINVAL);
  assert(pthread_rwlock_timedrdlock(&lock, &deadline) == EDEADLK);
  assert(pthread_rwlock_unlock(&lock) == 0);
  writing = 0;  // what follows a call belongs to its transition
  return unused;
}

int main(void) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, writer, NULL) == 0);
  const struct timespec deadline = after_one_second(CLOCK_MONOTONIC);
  const int error = pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &deadline);
  assert(error == (writing ? ETIMEDOUT : 0));
  assert(is_past(CLOCK_MONOTONIC, deadline) == (error != 0));
  if (error == 0) {
    reading = 1;
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_unlock(&lock) == 0);
    reading = 0;
  }
  assert(pthread_join(thread, NULL) == 0);
}
