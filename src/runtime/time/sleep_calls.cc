// Yields and sleeps: nothing ever waits for the world's time. The functions that programs call are
// in pause_entry.S, which notes who called.
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/patches/watched_stretch.h"
#include "runtime/sync/mutex_calls.h"
#include "runtime/time/pauses.h"

namespace mazurka {
namespace {

constexpr int64_t kYieldTakesNs = 1'000;

int64_t nanoseconds(const timespec& time) { return time.tv_sec * 1'000'000'000 + time.tv_nsec; }

// The result is an error number. Where a signal comes first, no time has passed at all.
int sleep_for(const timespec& time, timespec* left, const CallerState& caller, Call call) {
  if (!is_valid(time) || time.tv_sec < 0) return EINVAL;
  const timespec all = time;
  if (!pause_briefly(nanoseconds(time), caller, call)) return 0;
  if (left != nullptr) *left = all;
  return EINTR;
}

int sleep_until(clockid_t clock, const timespec& time, const CallerState& caller, Call call) {
  if (!is_valid(time)) return EINVAL;
  const int64_t deadline_ns = deadline_of(clock, time);
  const int64_t now_ns = read_clock_ns();
  const int64_t left_ns = deadline_ns > now_ns ? deadline_ns - now_ns : 0;
  return pause_briefly(left_ns, caller, call) ? EINTR : 0;
}

// What a call may leave in registers is the same each time: a loop that yields comes round to the
// state that it was in (patches/patched_step.cc).
inline __attribute__((always_inline)) void clear_registers() {
  __asm__ volatile(
      "xorl %%ecx, %%ecx\n\t"
      "xorl %%edx, %%edx\n\t"
      "xorl %%esi, %%esi\n\t"
      "xorl %%edi, %%edi\n\t"
      "xorl %%r8d, %%r8d\n\t"
      "xorl %%r9d, %%r9d\n\t"
      "xorl %%r10d, %%r10d\n\t"
      "xorl %%r11d, %%r11d\n\t"
      "pxor %%xmm0, %%xmm0\n\t"
      "pxor %%xmm1, %%xmm1\n\t"
      "pxor %%xmm2, %%xmm2\n\t"
      "pxor %%xmm3, %%xmm3\n\t"
      "pxor %%xmm4, %%xmm4\n\t"
      "pxor %%xmm5, %%xmm5\n\t"
      "pxor %%xmm6, %%xmm6\n\t"
      "pxor %%xmm7, %%xmm7" ::
          : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3",
            "xmm4", "xmm5", "xmm6", "xmm7", "cc");
}

// From the next one on.
void go_by_single_instructions() {
  __asm__ volatile(
      "leaq -128(%%rsp), %%rsp\n\t"
      "pushfq\n\t"
      "orq $0x100, (%%rsp)\n\t"
      "popfq\n\t"
      "leaq 128(%%rsp), %%rsp" ::
          : "memory", "cc");
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_INNER int mazurka_sched_yield() {
  if (!attached()) return REAL(sched_yield)();
  pause_briefly(kYieldTakesNs, CallerState(mazurka_caller), MAZURKA_HERE);
  if (go_on_with_stretch()) go_by_single_instructions();
  clear_registers();
  return 0;
}

MAZURKA_INNER int mazurka_clock_nanosleep(clockid_t clock, int flags, const timespec* time,
                                          timespec* left) {
  if (!attached()) return REAL(clock_nanosleep)(clock, flags, time, left);
  const CallerState caller = mazurka_caller;
  if (clock == CLOCK_THREAD_CPUTIME_ID) return EINVAL;
  if (clock < 0 || clock > CLOCK_TAI) return ENOTSUP;
  return flags & TIMER_ABSTIME ? sleep_until(clock, *time, caller, MAZURKA_HERE)
                               : sleep_for(*time, left, caller, MAZURKA_HERE);
}

MAZURKA_INNER int mazurka_nanosleep(const timespec* time, timespec* left) {
  if (!attached()) return REAL(nanosleep)(time, left);
  const int error = sleep_for(*time, left, CallerState(mazurka_caller), MAZURKA_HERE);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

MAZURKA_INNER int mazurka_usleep(useconds_t microseconds) {
  if (!attached()) return REAL(usleep)(microseconds);
  const CallerState caller = mazurka_caller;
  if (!pause_briefly(int64_t{microseconds} * 1'000, caller, MAZURKA_HERE)) return 0;
  errno = EINTR;
  return -1;
}

MAZURKA_INNER unsigned mazurka_sleep(unsigned seconds) {
  if (!attached()) return REAL(sleep)(seconds);
  const CallerState caller = mazurka_caller;
  const bool interrupted = pause_briefly(int64_t{seconds} * 1'000'000'000, caller, MAZURKA_HERE);
  return interrupted ? seconds : 0;  // what is left
}
