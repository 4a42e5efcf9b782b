// Yields and sleeps: nothing ever waits for the world's time.
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/core/let_others_move.h"
#include "runtime/sync/mutex_calls.h"

namespace mazurka {
namespace {

constexpr int64_t kYieldTakesNs = 1'000;

int64_t nanoseconds(const timespec& time) { return time.tv_sec * 1'000'000'000 + time.tv_nsec; }

// The result is an error number. Where a signal comes first, no time has passed at all.
int sleep_for(const timespec& time, timespec* left, Call call) {
  if (!is_valid(time) || time.tv_sec < 0) return EINVAL;
  const timespec all = time;
  if (!pause_briefly(nanoseconds(time), call)) return 0;
  if (left != nullptr) *left = all;
  return EINTR;
}

int sleep_until(clockid_t clock, const timespec& time, Call call) {
  if (!is_valid(time)) return EINVAL;
  const int64_t deadline_ns = deadline_of(clock, time);
  const int64_t now_ns = read_clock_ns();
  return pause_briefly(deadline_ns > now_ns ? deadline_ns - now_ns : 0, call) ? EINTR : 0;
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int sched_yield() {
  if (!attached()) return REAL(sched_yield)();
  pause_briefly(kYieldTakesNs, MAZURKA_HERE);
  return 0;
}

// Today's headers turn pthread_yield into sched_yield; old programs are bound to it.
MAZURKA_EXPORT int old_pthread_yield() __asm__("pthread_yield");
int old_pthread_yield() {
  if (!attached()) return REAL(sched_yield)();
  pause_briefly(kYieldTakesNs, MAZURKA_HERE);
  return 0;
}

MAZURKA_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* time,
                                   timespec* left) {
  if (!attached()) return REAL(clock_nanosleep)(clock, flags, time, left);
  if (clock == CLOCK_THREAD_CPUTIME_ID) return EINVAL;
  if (clock < 0 || clock > CLOCK_TAI) return ENOTSUP;
  return flags & TIMER_ABSTIME ? sleep_until(clock, *time, MAZURKA_HERE)
                               : sleep_for(*time, left, MAZURKA_HERE);
}

MAZURKA_EXPORT int nanosleep(const timespec* time, timespec* left) {
  if (!attached()) return REAL(nanosleep)(time, left);
  const int error = sleep_for(*time, left, MAZURKA_HERE);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

MAZURKA_EXPORT int usleep(useconds_t microseconds) {
  if (!attached()) return REAL(usleep)(microseconds);
  if (!pause_briefly(int64_t{microseconds} * 1'000, MAZURKA_HERE)) return 0;
  errno = EINTR;
  return -1;
}

MAZURKA_EXPORT unsigned sleep(unsigned seconds) {
  if (!attached()) return REAL(sleep)(seconds);
  return pause_briefly(int64_t{seconds} * 1'000'000'000, MAZURKA_HERE) ? seconds
                                                                       : 0;  // what is left
}
