// pthread_mutex_*: calls become operations on kinds/sync/mutex.h.
#include "runtime/sync/mutex_calls.h"

#include <cerrno>
#include <cstring>

namespace mazurka {
namespace {

// glibc's layout: the kind stands at byte 16, behind the room for our tag.
constexpr size_t kKindOffset = 16;

int32_t& kind_word(pthread_mutex_t* mutex) {
  return *reinterpret_cast<int32_t*>(reinterpret_cast<char*>(mutex) + kKindOffset);
}

MutexType type_of_kind(int kind) {
  switch (kind & 3) {
    case PTHREAD_MUTEX_RECURSIVE:
      return MutexType::Recursive;
    case PTHREAD_MUTEX_ERRORCHECK:
      return MutexType::ErrorCheck;
    default:
      return MutexType::Normal;  // and adaptive
  }
}

bool is_static_initialiser(const pthread_mutex_t* mutex) {
  constexpr pthread_mutex_t kInitialisers[] = {
      PTHREAD_MUTEX_INITIALIZER, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
      PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP, PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP};
  for (const pthread_mutex_t& bytes : kInitialisers) {
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): all bytes count
    if (memcmp(&bytes, mutex, sizeof bytes) == 0) return true;
  }
  return false;
}

int lock(pthread_mutex_t* mutex, uint8_t flags, int64_t deadline_ns, Call call) {
  Operation op{.kind = OpKind::MutexLock, .flags = flags, .object = mutex_at(mutex, call)};
  op.deadline_ns = deadline_ns;
  return reach(op, call).error;
}

int timed_lock(pthread_mutex_t* mutex, int clock, const timespec& time, Call call) {
  if (!is_valid(time)) return EINVAL;
  return lock(mutex, kTimed, deadline_of(clock, time), call);
}

}  // namespace

ObjectId mutex_at(pthread_mutex_t* mutex, Call call) {
  const ObjectId known = tagged_object(mutex, ObjectKind::Mutex);
  if (known != kNoObject) return known;
  if (!is_static_initialiser(mutex)) misuse(Misuse::NotInitialised, call);
  const int kind = kind_word(mutex);
  const ObjectId made = make_tagged_object(mutex, ObjectKind::Mutex);
  world().object(made).mutex.type = type_of_kind(kind);
  return made;
}

bool is_valid(const timespec& time) { return time.tv_nsec >= 0 && time.tv_nsec < 1'000'000'000; }

int64_t deadline_of(int clock, const timespec& time) {
  const int64_t ns = time.tv_sec * 1'000'000'000 + time.tv_nsec;
  return clock == CLOCK_REALTIME ? ns - kRealtimeOffset_ns : ns;
}

}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int pthread_mutex_init(pthread_mutex_t* mutex,
                                      const pthread_mutexattr_t* attributes) {
  if (!attached()) return REAL(pthread_mutex_init)(mutex, attributes);
  int type = PTHREAD_MUTEX_DEFAULT;
  int robust = PTHREAD_MUTEX_STALLED;
  if (attributes != nullptr) {
    pthread_mutexattr_gettype(attributes, &type);
    pthread_mutexattr_getrobust(attributes, &robust);
  }
  memset(mutex, 0, sizeof *mutex);
  kind_word(mutex) = type;
  Mutex& made = world().object(make_tagged_object(mutex, ObjectKind::Mutex)).mutex;
  made.type = type_of_kind(type);
  made.robust = robust == PTHREAD_MUTEX_ROBUST;
  return 0;
}

MAZURKA_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) {
  if (!attached()) return REAL(pthread_mutex_lock)(mutex);
  return lock(mutex, 0, 0, MAZURKA_HERE);
}

MAZURKA_EXPORT int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  if (!attached()) return REAL(pthread_mutex_trylock)(mutex);
  return lock(mutex, kTry, 0, MAZURKA_HERE);
}

MAZURKA_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* time) {
  if (!attached()) return REAL(pthread_mutex_timedlock)(mutex, time);
  return timed_lock(mutex, CLOCK_REALTIME, *time, MAZURKA_HERE);
}

MAZURKA_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                           const timespec* time) {
  if (!attached()) return REAL(pthread_mutex_clocklock)(mutex, clock, time);
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
  return timed_lock(mutex, clock, *time, MAZURKA_HERE);
}

MAZURKA_EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  if (!attached()) return REAL(pthread_mutex_unlock)(mutex);
  const Call call = MAZURKA_HERE;
  return reach({.kind = OpKind::MutexUnlock, .object = mutex_at(mutex, call)}, call).error;
}

MAZURKA_EXPORT int pthread_mutex_destroy(pthread_mutex_t* mutex) {
  if (!attached()) return REAL(pthread_mutex_destroy)(mutex);
  const Call call = MAZURKA_HERE;
  const Operation op{.kind = OpKind::MutexDestroy, .object = mutex_at(mutex, call)};
  return destroy(op, call).error;
}

MAZURKA_EXPORT int pthread_mutex_consistent(pthread_mutex_t* mutex) {
  if (!attached()) return REAL(pthread_mutex_consistent)(mutex);
  const Call call = MAZURKA_HERE;
  return reach({.kind = OpKind::MutexConsistent, .object = mutex_at(mutex, call)}, call).error;
}
