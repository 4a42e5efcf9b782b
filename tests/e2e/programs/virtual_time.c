// expect: executions=2 transitions=10 verdict=ok
// Clocks are virtual: they never run backwards, not even from thread to thread, and sleeping takes
// no time.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

static const int64_t kSecond = 1000000000;

static int64_t nanoseconds(struct timespec time) { return time.tv_sec * kSecond + time.tv_nsec; }

static int64_t now(clockid_t clock) {
  struct timespec time;
  assert(clock_gettime(clock, &time) == 0 && time.tv_nsec >= 0 && time.tv_nsec < kSecond);
  return nanoseconds(time);
}

static void clocks_agree(void) {
  assert(now(CLOCK_MONOTONIC) >= kSecond);
  assert(now(CLOCK_MONOTONIC) < now(CLOCK_MONOTONIC_RAW));
  assert(now(CLOCK_BOOTTIME) < now(CLOCK_MONOTONIC_COARSE));
  assert(now(CLOCK_THREAD_CPUTIME_ID) < now(CLOCK_PROCESS_CPUTIME_ID));
  int64_t real = now(CLOCK_REALTIME);
  struct timeval day;
  struct timespec utc, resolution;
  time_t seconds;
  assert(gettimeofday(&day, NULL) == 0 && day.tv_sec == real / kSecond);
  assert(timespec_get(&utc, TIME_UTC) == TIME_UTC && nanoseconds(utc) > real);
  assert(time(&seconds) == real / kSecond && seconds == real / kSecond);
  assert(clock_getres(CLOCK_REALTIME, &resolution) == 0 && nanoseconds(resolution) > 0);
  assert(clock_gettime(12345, &utc) == -1 && errno == EINVAL);
  struct tms ticks;
  struct rusage usage;
  assert(times(&ticks) > 0 && ticks.tms_utime >= 0 && clock() >= 0);
  assert(getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_maxrss == 0);
}

static void sleeps_take_as_long_as_asked_for(void) {
  int64_t before = now(CLOCK_MONOTONIC);
  struct timespec hour = {3600, 0}, bad = {0, 1000000000}, deadline;
  assert(nanosleep(&hour, NULL) == 0);
  int64_t slept = now(CLOCK_MONOTONIC) - before;
  assert(slept >= 3600 * kSecond && slept < 3601 * kSecond);
  assert(usleep(500000) == 0 && sleep(10) == 0);
  slept = now(CLOCK_MONOTONIC) - before;
  assert(slept >= 3610 * kSecond && slept < 3612 * kSecond);
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 60;
  assert(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &deadline, NULL) == 0);
  assert(now(CLOCK_REALTIME) > nanoseconds(deadline));
  assert(nanosleep(&bad, NULL) == -1 && errno == EINVAL);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int64_t latest;

static void* work(void* unused) {
  pthread_mutex_lock(&mutex);
  assert(now(CLOCK_MONOTONIC) > latest);
  sleep(1);
  latest = now(CLOCK_MONOTONIC);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  clocks_agree();
  sleeps_take_as_long_as_asked_for();
  pthread_t thread;
  assert(pthread_create(&thread, NULL, work, NULL) == 0);
  work(NULL);
  assert(pthread_join(thread, NULL) == 0);
  assert(now(CLOCK_MONOTONIC) > latest);
}
