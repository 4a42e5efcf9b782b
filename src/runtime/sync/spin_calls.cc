// pthread_spin_*: spin locks are mutexes for the search (kinds/sync/mutex.h): a thread that spins
// waits.
#include <pthread.h>

#include "runtime/core/runtime.h"

namespace mazurka {
namespace {

// Four bytes have no room for a tag. What we write is what an unlocked one is for glibc on x86, and
// it stays so.
constexpr int kInitialised = 1;

ObjectId spin_lock_at(pthread_spinlock_t* lock, Call call) {
  if (*lock != kInitialised) misuse(Misuse::NotInitialised, call);
  const ObjectId object = object_by_address(const_cast<int*>(lock), ObjectKind::Mutex);
  world().object(object).mutex.type = MutexType::Spin;
  return object;
}

int take(pthread_spinlock_t* lock, uint8_t flags, Call call) {
  return reach({.kind = OpKind::MutexLock, .flags = flags, .object = spin_lock_at(lock, call)},
               call)
      .error;
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int pthread_spin_init(pthread_spinlock_t* lock, int shared) {
  if (!attached()) return REAL(pthread_spin_init)(lock, shared);
  *lock = kInitialised;
  object_by_address(const_cast<int*>(lock), ObjectKind::Mutex, true);
  return 0;
}

MAZURKA_EXPORT int pthread_spin_lock(pthread_spinlock_t* lock) {
  if (!attached()) return REAL(pthread_spin_lock)(lock);
  return take(lock, 0, MAZURKA_HERE);
}

MAZURKA_EXPORT int pthread_spin_trylock(pthread_spinlock_t* lock) {
  if (!attached()) return REAL(pthread_spin_trylock)(lock);
  return take(lock, kTry, MAZURKA_HERE);
}

MAZURKA_EXPORT int pthread_spin_unlock(pthread_spinlock_t* lock) {
  if (!attached()) return REAL(pthread_spin_unlock)(lock);
  const Call call = MAZURKA_HERE;
  return reach({.kind = OpKind::MutexUnlock, .object = spin_lock_at(lock, call)}, call).error;
}

MAZURKA_EXPORT int pthread_spin_destroy(pthread_spinlock_t* lock) {
  if (!attached()) return REAL(pthread_spin_destroy)(lock);
  const Call call = MAZURKA_HERE;
  return destroy({.kind = OpKind::MutexDestroy, .object = spin_lock_at(lock, call)}, call).error;
}
