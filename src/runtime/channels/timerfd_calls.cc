// timerfd_create, timerfd_settime, timerfd_gettime: operations on kinds/channels/timer.h. The
// kernel's timer is there for its number, and is never set.
#include "runtime/channels/timerfd_calls.h"

#include <fcntl.h>
#include <sys/timerfd.h>
#include <time.h>

#include <cerrno>
#include <cstring>

#include "base/check.h"
#include "runtime/channels/descriptors.h"
#include "runtime/core/failure.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/sync/mutex_calls.h"

namespace mazurka {
namespace {

constexpr int64_t kSecond_ns = 1'000'000'000;

const Description& at(ObjectId id) { return world().object(id).description; }

// The description of a timer behind the descriptor, or kNoObject.
ObjectId timer_description(int fd) {
  const ObjectId id = pollable_description_of(fd);
  return id != kNoObject && kind_behind(world(), at(id)) == ObjectKind::Timer ? id : kNoObject;
}

int64_t nanoseconds(const timespec& time) { return time.tv_sec * kSecond_ns + time.tv_nsec; }

timespec timespec_of(int64_t ns) { return {ns / kSecond_ns, ns % kSecond_ns}; }

bool is_duration(const timespec& time) { return is_valid(time) && time.tv_sec >= 0; }

int make_timer(clockid_t clock, int flags, Call call) {
  need_fork("timerfd_create");
  const uint32_t number = next_number();
  const ObjectId timer = named_object("timer", number, "", ObjectKind::Timer);
  world().object(timer).timer.is_realtime =
      clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_ALARM;
  const ObjectId description = make_description("timer", number, " (descriptor)", timer, kNoObject);
  world().object(description).description.is_nonblocking = (flags & TFD_NONBLOCK) != 0;
  open_descriptions(description, kNoObject, call);
  const int fd = REAL(timerfd_create)(clock, flags);
  if (fd < 0) return fd;
  add_descriptor(fd, description, (flags & TFD_CLOEXEC) != 0);
  return fd;
}

// On the virtual clock; a time that has passed already is now.
int64_t expiry_of(const Timer& timer, int flags, const timespec& time) {
  if (nanoseconds(time) == 0) return 0;
  const int64_t now_ns = read_clock_ns();
  const clockid_t clock = timer.is_realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  const int64_t wanted_ns =
      (flags & TFD_TIMER_ABSTIME) != 0 ? deadline_of(clock, time) : now_ns + nanoseconds(time);
  return wanted_ns > now_ns ? wanted_ns : now_ns;
}

int get_time(ObjectId description, itimerspec& to, Call call) {
  const ObjectId timer = at(description).reads;
  const Effect effect =
      reach({.kind = OpKind::TimerGet, .object = timer, .second = description}, call);
  if (effect.error != 0) return fail(effect.error);
  const int64_t interval_ns = world().object(timer).timer.interval_ns;
  int64_t left_ns = effect.value - world().thread(current_thread()).clock_ns;
  if (effect.value == 0 || (left_ns <= 0 && interval_ns == 0)) left_ns = 0;
  while (left_ns < 0) left_ns += interval_ns;
  to = {.it_interval = timespec_of(interval_ns), .it_value = timespec_of(left_ns)};
  return 0;
}

int set_time(int fd, int flags, const itimerspec& wanted, itimerspec* old, Call call) {
  const ObjectId description = timer_description(fd);
  if (description == kNoObject) return REAL(timerfd_settime)(fd, flags, &wanted, old);
  if (!is_duration(wanted.it_value) || !is_duration(wanted.it_interval)) return fail(EINVAL);
  if (flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)) return fail(EINVAL);
  if (old != nullptr && get_time(description, *old, call) != 0) return -1;
  const ObjectId timer = at(description).reads;
  const int64_t expires_ns = expiry_of(world().object(timer).timer, flags, wanted.it_value);
  const Operation op{.kind = OpKind::TimerSet,
                     .object = timer,
                     .second = description,
                     .value = expires_ns,
                     .desired = nanoseconds(wanted.it_interval)};
  const Effect effect = destroy(op, call);
  return effect.error == 0 ? 0 : fail(effect.error);
}

}  // namespace

bool is_timer(int fd) { return timer_description(fd) != kNoObject; }

ssize_t read_timer(int fd, void* bytes, size_t count, Call call) {
  MAZURKA_DEBUG_CHECK(is_timer(fd));
  if (count < sizeof(uint64_t)) return fail(EINVAL);
  const ObjectId description = timer_description(fd);
  const Effect effect = reach(
      {.kind = OpKind::TimerRead, .object = at(description).reads, .second = description}, call);
  if (effect.error != 0) return fail(effect.error);
  const auto expirations = static_cast<uint64_t>(effect.value);
  memcpy(bytes, &expirations, sizeof expirations);
  return sizeof expirations;
}

}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int timerfd_create(clockid_t clock, int flags) noexcept {
  return attached() ? make_timer(clock, flags, MAZURKA_HERE) : REAL(timerfd_create)(clock, flags);
}

MAZURKA_EXPORT int timerfd_settime(int fd, int flags, const itimerspec* wanted,
                                   itimerspec* old) noexcept {
  if (!attached() || wanted == nullptr) return REAL(timerfd_settime)(fd, flags, wanted, old);
  return set_time(fd, flags, *wanted, old, MAZURKA_HERE);
}

MAZURKA_EXPORT int timerfd_gettime(int fd, itimerspec* now) noexcept {
  if (!attached() || !is_timer(fd)) return REAL(timerfd_gettime)(fd, now);
  return get_time(pollable_description_of(fd), *now, MAZURKA_HERE);
}
