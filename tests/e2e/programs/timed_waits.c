// expect: executions=19 transitions=189 verdict=ok
// A timed condition wait may time out whenever it is not signalled; a timed lock or semaphore wait
// only where it would have to wait. All three forms of each, and the clock afterwards.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int ready;

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

static void* waiter(void* unused) {
  struct timespec deadline = after_one_second(CLOCK_MONOTONIC);
  const int locked = pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &deadline);
  assert(locked == 0 || locked == ETIMEDOUT);
  if (locked != 0) {
    assert(is_past(CLOCK_MONOTONIC, deadline));
    return unused;
  }
  if (!ready) {
    deadline = after_one_second(CLOCK_REALTIME);
    const int error = pthread_cond_timedwait(&condition, &mutex, &deadline);
    assert(error == 0 || error == ETIMEDOUT);
    if (error == ETIMEDOUT) assert(is_past(CLOCK_REALTIME, deadline));
    if (error == 0) assert(ready);  // spurious wake-ups are off
  }
  assert(pthread_mutex_unlock(&mutex) == 0);
  return unused;
}

int main(void) {
  assert(sem_init(&semaphore, 0, 0) == 0);
  pthread_t thread;
  assert(pthread_create(&thread, NULL, waiter, NULL) == 0);
  assert(pthread_mutex_lock(&mutex) == 0);
  ready = 1;
  assert(pthread_cond_signal(&condition) == 0);
  assert(pthread_mutex_unlock(&mutex) == 0);
  const struct timespec deadline = after_one_second(CLOCK_REALTIME);
  assert(sem_timedwait(&semaphore, &deadline) == -1 && errno == ETIMEDOUT);
  assert(is_past(CLOCK_REALTIME, deadline));
  const struct timespec invalid = {0, -1};
  assert(pthread_join(thread, NULL) == 0);
  assert(sem_timedwait(&semaphore, &invalid) == -1 && errno == EINVAL);
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_cond_timedwait(&condition, &mutex, &invalid) == EINVAL);
  assert(pthread_cond_clockwait(&condition, &mutex, CLOCK_PROCESS_CPUTIME_ID, &deadline) == EINVAL);
  const struct timespec long_ago = {0, 1};
  assert(pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &long_ago) == ETIMEDOUT);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(sem_destroy(&semaphore) == 0);
}
