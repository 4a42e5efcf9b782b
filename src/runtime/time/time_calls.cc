// The clocks of libc. All of them show the calling thread's virtual time: a Lamport clock, which
// the models advance with each operation, and which a reading or a sleep lets pass. Nothing here
// looks at the world's time.
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

#include <cerrno>

#include "runtime/accesses/seen_memory.h"
#include "runtime/accesses/spin_trail.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/state.h"

namespace mazurka {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr int64_t kReadingTakesNs = 1'000;
// Not 0: programs take that for "never" or "not set".
constexpr int64_t kFirstTimeNs = kSecondNs;
constexpr int64_t kTaiOffsetNs = 37 * kSecondNs;
constexpr int64_t kTickNs = kSecondNs / 100;  // sysconf(_SC_CLK_TCK)

// Where the clock stood when main began: each execution starts there, so that time does not run
// backwards for what was read before main.
int64_t earliest_ns = kFirstTimeNs;

// A thread that looks at the clock again and again, and does nothing else that others can see but
// loads and pauses, may be in a loop that time ends: then more and more of it passes.
constexpr uint32_t kLooksAsAsked = 64;
constexpr uint32_t kMostDoublings = 32;

int64_t stretch_ns() {
  SpinTrail& trail = context(current_thread()).trail;
  const uint32_t transitions = world().thread(current_thread()).transitions;
  if (!variables_are_seen() && trail.transitions != transitions) trail.clock_looks = 0;
  trail.transitions = transitions;
  if (++trail.clock_looks <= kLooksAsAsked) return 0;
  const uint32_t doublings = trail.clock_looks - kLooksAsAsked;
  return kReadingTakesNs << (doublings < kMostDoublings ? doublings : kMostDoublings);
}

// A thread that has looked at a clock has learned something, even if its stack does not show it.
int64_t look_at_clock_ns() {
  if (!state.scheduling) return mazurka::read_clock_ns();
  ++spin_activity;
  const int64_t stretch = stretch_ns();
  if (stretch > 0) advance_clock_to(world().thread(current_thread()).clock_ns + stretch);
  return mazurka::read_clock_ns();
}

int64_t read_cpu_time_ns() { return look_at_clock_ns() - kFirstTimeNs; }

bool is_readable(clockid_t clock) { return clock <= CLOCK_TAI && clock != 10; }

// Requires a clock that is readable. Clocks with a negative number count the time of some thread or
// process.
int64_t read_clock_ns(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM:
      return look_at_clock_ns() + kRealtimeOffset_ns;
    case CLOCK_TAI:
      return look_at_clock_ns() + kRealtimeOffset_ns + kTaiOffsetNs;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM:
      return look_at_clock_ns();
    default:
      return read_cpu_time_ns();
  }
}

timespec timespec_of(int64_t ns) { return {ns / kSecondNs, ns % kSecondNs}; }

timeval timeval_of(int64_t ns) { return {ns / kSecondNs, ns % kSecondNs / 1'000}; }

}  // namespace

int64_t read_clock_ns() {
  int64_t& clock = world().thread(current_thread()).clock_ns;
  if (clock < earliest_ns) clock = earliest_ns;
  clock += kReadingTakesNs;
  if (!state.scheduling) earliest_ns = clock;
  return clock;
}

void advance_clock_to(int64_t ns) {
  int64_t& clock = world().thread(current_thread()).clock_ns;
  if (clock < ns) clock = ns;
  if (!state.scheduling && earliest_ns < clock) earliest_ns = clock;
}

}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int clock_gettime(clockid_t clock, timespec* time) {
  if (!attached()) return REAL(clock_gettime)(clock, time);
  if (!is_readable(clock)) return fail(EINVAL);
  *time = timespec_of(read_clock_ns(clock));
  return 0;
}

MAZURKA_EXPORT int clock_getres(clockid_t clock, timespec* resolution) {
  if (!attached()) return REAL(clock_getres)(clock, resolution);
  if (!is_readable(clock)) return fail(EINVAL);
  if (resolution != nullptr) *resolution = {0, 1};
  return 0;
}

MAZURKA_EXPORT int clock_settime(clockid_t clock, const timespec* time) {
  if (!attached()) return REAL(clock_settime)(clock, time);
  return fail(EPERM);  // as for everybody but root
}

MAZURKA_EXPORT int gettimeofday(timeval* __restrict time, void* __restrict zone) {
  if (!attached()) return REAL(gettimeofday)(time, zone);
  *time = timeval_of(read_clock_ns(CLOCK_REALTIME));
  if (zone != nullptr) *static_cast<struct timezone*>(zone) = {};
  return 0;
}

MAZURKA_EXPORT time_t time(time_t* out) {
  if (!attached()) return REAL(time)(out);
  const time_t seconds = read_clock_ns(CLOCK_REALTIME) / kSecondNs;
  if (out != nullptr) *out = seconds;
  return seconds;
}

MAZURKA_EXPORT int timespec_get(timespec* time, int base) {
  if (!attached()) return REAL(timespec_get)(time, base);
  if (base != TIME_UTC) return 0;
  *time = timespec_of(read_clock_ns(CLOCK_REALTIME));
  return base;
}

MAZURKA_EXPORT clock_t clock() {
  if (!attached()) return REAL(clock)();
  static_assert(CLOCKS_PER_SEC == 1'000'000);
  return read_cpu_time_ns() / 1'000;
}

MAZURKA_EXPORT clock_t times(tms* out) {
  if (!attached()) return REAL(times)(out);
  const int64_t now_ns = look_at_clock_ns();
  if (out != nullptr) *out = {(now_ns - kFirstTimeNs) / kTickNs, 0, 0, 0};
  return now_ns / kTickNs;
}

MAZURKA_EXPORT int getrusage(__rusage_who_t who, rusage* usage) {
  if (!attached()) return REAL(getrusage)(who, usage);
  *usage = {};
  if (who != RUSAGE_CHILDREN) usage->ru_utime = timeval_of(read_cpu_time_ns());
  return 0;
}
