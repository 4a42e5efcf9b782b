// pthread_cond_*: calls become operations on kinds/sync/condition.h and the mutex.
#include "runtime/sync/condition_calls.h"

#include <cerrno>
#include <cstring>

#include "runtime/sync/mutex_calls.h"
#include "runtime/sync/spurious.h"

namespace mazurka {
namespace {

// Bits of glibc's __wrefs, which lies behind our tag: set up by libc or by us, it says the same.
constexpr unsigned kSharedBit = 1;
constexpr unsigned kMonotonicBit = 2;

// All zero, or as libc's own pthread_cond_init leaves it.
bool is_initialiser(const pthread_cond_t* condition) {
  if (condition->__data.__wrefs > (kSharedBit | kMonotonicBit)) return false;
  pthread_cond_t bytes;
  memset(&bytes, 0, sizeof bytes);
  bytes.__data.__wrefs = condition->__data.__wrefs;
  // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): all bytes count
  return memcmp(&bytes, condition, sizeof bytes) == 0;
}

// A thread that wakes up without a signal might as well have left the waiters at once, or never
// have joined them: whom others wake meanwhile is the same.
bool wakes_for_no_reason(ObjectId condition, ObjectId mutex, Call call) {
  const bool can_wait = world().object(mutex).mutex.owner == current_thread();
  if (!can_wait || !happens_for_no_reason(condition, kUnaskedSpurious, call)) return false;
  reach({.kind = OpKind::MutexUnlock, .object = mutex}, call);
  return true;
}

// Releases the mutex and joins the waiters.
int begin_wait(ObjectId condition, ObjectId mutex, Call call) {
  return reach({.kind = OpKind::CondWait, .object = condition, .second = mutex}, call).error;
}

}  // namespace

ObjectId condition_at(pthread_cond_t* condition, Call call) {
  const ObjectId known = tagged_object(condition, ObjectKind::Condition);
  if (known != kNoObject) return known;
  if (!is_initialiser(condition)) misuse(Misuse::NotInitialised, call);
  return make_tagged_object(condition, ObjectKind::Condition);
}

clockid_t clock_of(const pthread_cond_t* condition) {
  return condition->__data.__wrefs & kMonotonicBit ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

int wait_on(pthread_cond_t* condition, pthread_mutex_t* mutex, Call call) {
  const ObjectId object = condition_at(condition, call);
  const ObjectId locked = mutex_at(mutex, call);
  if (wakes_for_no_reason(object, locked, call))
    return reach({.kind = OpKind::MutexLock, .object = locked}, call).error;
  const int error = begin_wait(object, locked, call);
  if (error != 0) return error;
  return reach({.kind = OpKind::CondReacquire, .object = object, .second = locked}, call).error;
}

int wait_on_until(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                  const timespec& time, Call call) {
  if (!is_valid(time)) return EINVAL;
  const ObjectId object = condition_at(condition, call);
  const ObjectId locked = mutex_at(mutex, call);
  if (wakes_for_no_reason(object, locked, call))
    return reach({.kind = OpKind::MutexLock, .object = locked}, call).error;
  const int error = begin_wait(object, locked, call);
  if (error != 0) return error;
  Operation wake{.kind = OpKind::CondWake, .flags = kTimed, .object = object, .second = locked};
  wake.deadline_ns = deadline_of(clock, time);
  const int timed_out = reach(wake, call).error;
  const int not_locked = reach({.kind = OpKind::MutexLock, .object = locked}, call).error;
  return not_locked != 0 ? not_locked : timed_out;
}

}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int pthread_cond_init(pthread_cond_t* condition,
                                     const pthread_condattr_t* attributes) {
  if (!attached()) return REAL(pthread_cond_init)(condition, attributes);
  clockid_t clock = CLOCK_REALTIME;
  int shared = PTHREAD_PROCESS_PRIVATE;
  if (attributes != nullptr) {
    pthread_condattr_getclock(attributes, &clock);
    pthread_condattr_getpshared(attributes, &shared);
  }
  memset(condition, 0, sizeof *condition);
  if (clock == CLOCK_MONOTONIC) condition->__data.__wrefs |= kMonotonicBit;
  if (shared == PTHREAD_PROCESS_SHARED) condition->__data.__wrefs |= kSharedBit;
  make_tagged_object(condition, ObjectKind::Condition);
  return 0;
}

MAZURKA_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  if (!attached()) return REAL(pthread_cond_wait)(condition, mutex);
  return wait_on(condition, mutex, MAZURKA_HERE);
}

MAZURKA_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                          const timespec* time) {
  if (!attached()) return REAL(pthread_cond_timedwait)(condition, mutex, time);
  return wait_on_until(condition, mutex, clock_of(condition), *time, MAZURKA_HERE);
}

MAZURKA_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                          clockid_t clock, const timespec* time) {
  if (!attached()) return REAL(pthread_cond_clockwait)(condition, mutex, clock, time);
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
  return wait_on_until(condition, mutex, clock, *time, MAZURKA_HERE);
}

MAZURKA_EXPORT int pthread_cond_signal(pthread_cond_t* condition) {
  if (!attached()) return REAL(pthread_cond_signal)(condition);
  const Call call = MAZURKA_HERE;
  return reach({.kind = OpKind::CondSignal, .object = condition_at(condition, call)}, call).error;
}

MAZURKA_EXPORT int pthread_cond_broadcast(pthread_cond_t* condition) {
  if (!attached()) return REAL(pthread_cond_broadcast)(condition);
  const Call call = MAZURKA_HERE;
  return reach({.kind = OpKind::CondBroadcast, .object = condition_at(condition, call)}, call)
      .error;
}

MAZURKA_EXPORT int pthread_cond_destroy(pthread_cond_t* condition) {
  if (!attached()) return REAL(pthread_cond_destroy)(condition);
  const Call call = MAZURKA_HERE;
  return destroy({.kind = OpKind::CondDestroy, .object = condition_at(condition, call)}, call)
      .error;
}
