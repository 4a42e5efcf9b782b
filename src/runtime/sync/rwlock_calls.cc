// pthread_rwlock_*: calls become operations on kinds/sync/rwlock.h.
#include <pthread.h>

#include <cerrno>
#include <cstring>

#include "runtime/core/runtime.h"
#include "runtime/sync/mutex_calls.h"

namespace mazurka {
namespace {

bool is_static_initialiser(const pthread_rwlock_t* lock) {
  constexpr pthread_rwlock_t kInitialisers[] = {PTHREAD_RWLOCK_INITIALIZER,
                                                PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP};
  for (const pthread_rwlock_t& bytes : kInitialisers) {
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): all bytes count
    if (memcmp(&bytes, lock, sizeof bytes) == 0) return true;
  }
  return false;
}

ObjectId rwlock_at(pthread_rwlock_t* lock, Call call) {
  const ObjectId known = tagged_object(lock, ObjectKind::RwLock);
  if (known != kNoObject) return known;
  if (!is_static_initialiser(lock)) misuse(Misuse::NotInitialised, call);
  return make_tagged_object(lock, ObjectKind::RwLock);
}

// `kind` is ReadLock or WriteLock.
int take(OpKind kind, pthread_rwlock_t* lock, uint8_t flags, Call call) {
  return reach({.kind = kind, .flags = flags, .object = rwlock_at(lock, call)}, call).error;
}

int take_until(OpKind kind, pthread_rwlock_t* lock, clockid_t clock, const timespec& time,
               Call call) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
  if (!is_valid(time)) return EINVAL;
  Operation op{.kind = kind, .flags = kTimed, .object = rwlock_at(lock, call)};
  op.deadline_ns = deadline_of(clock, time);
  return reach(op, call).error;
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int pthread_rwlock_init(pthread_rwlock_t* lock,
                                       const pthread_rwlockattr_t* attributes) {
  if (!attached()) return REAL(pthread_rwlock_init)(lock, attributes);
  int kind = PTHREAD_RWLOCK_DEFAULT_NP;
  if (attributes != nullptr) pthread_rwlockattr_getkind_np(attributes, &kind);
  memset(lock, 0, sizeof *lock);
  lock->__data.__flags = static_cast<unsigned>(kind);
  make_tagged_object(lock, ObjectKind::RwLock);
  return 0;
}

MAZURKA_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  if (!attached()) return REAL(pthread_rwlock_rdlock)(lock);
  return take(OpKind::ReadLock, lock, 0, MAZURKA_HERE);
}

MAZURKA_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) {
  if (!attached()) return REAL(pthread_rwlock_tryrdlock)(lock);
  return take(OpKind::ReadLock, lock, kTry, MAZURKA_HERE);
}

MAZURKA_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* time) {
  if (!attached()) return REAL(pthread_rwlock_timedrdlock)(lock, time);
  return take_until(OpKind::ReadLock, lock, CLOCK_REALTIME, *time, MAZURKA_HERE);
}

MAZURKA_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                                              const timespec* time) {
  if (!attached()) return REAL(pthread_rwlock_clockrdlock)(lock, clock, time);
  return take_until(OpKind::ReadLock, lock, clock, *time, MAZURKA_HERE);
}

MAZURKA_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  if (!attached()) return REAL(pthread_rwlock_wrlock)(lock);
  return take(OpKind::WriteLock, lock, 0, MAZURKA_HERE);
}

MAZURKA_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) {
  if (!attached()) return REAL(pthread_rwlock_trywrlock)(lock);
  return take(OpKind::WriteLock, lock, kTry, MAZURKA_HERE);
}

MAZURKA_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* time) {
  if (!attached()) return REAL(pthread_rwlock_timedwrlock)(lock, time);
  return take_until(OpKind::WriteLock, lock, CLOCK_REALTIME, *time, MAZURKA_HERE);
}

MAZURKA_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                                              const timespec* time) {
  if (!attached()) return REAL(pthread_rwlock_clockwrlock)(lock, clock, time);
  return take_until(OpKind::WriteLock, lock, clock, *time, MAZURKA_HERE);
}

MAZURKA_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  if (!attached()) return REAL(pthread_rwlock_unlock)(lock);
  const Call call = MAZURKA_HERE;
  return reach({.kind = OpKind::RwUnlock, .object = rwlock_at(lock, call)}, call).error;
}

MAZURKA_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* lock) {
  if (!attached()) return REAL(pthread_rwlock_destroy)(lock);
  const Call call = MAZURKA_HERE;
  return destroy({.kind = OpKind::RwDestroy, .object = rwlock_at(lock, call)}, call).error;
}
