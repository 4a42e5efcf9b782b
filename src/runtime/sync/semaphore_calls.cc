// sem_*: calls on unnamed and opened semaphores become operations on kinds/sync/semaphore.h.
#include "runtime/sync/semaphore_calls.h"

#include <cerrno>
#include <climits>
#include <cstring>

#include "runtime/sync/mutex_calls.h"

namespace mazurka {
namespace {

// These calls fail with -1 and errno.
int result_of(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

int wait(sem_t* semaphore, uint8_t flags, Call call) {
  return result_of(
      reach({.kind = OpKind::SemWait, .flags = flags, .object = semaphore_at(semaphore, call)},
            call)
          .error);
}

int wait_until(sem_t* semaphore, clockid_t clock, const timespec& time, Call call) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return result_of(EINVAL);
  if (!is_valid(time)) return result_of(EINVAL);
  Operation op{.kind = OpKind::SemWait, .flags = kTimed, .object = semaphore_at(semaphore, call)};
  op.deadline_ns = deadline_of(clock, time);
  return result_of(reach(op, call).error);
}

}  // namespace

ObjectId semaphore_at(sem_t* semaphore, Call call) {
  const ObjectId known = tagged_object(semaphore, ObjectKind::Semaphore);
  if (known == kNoObject) misuse(Misuse::NotInitialised, call);
  return known;
}

}  // namespace mazurka

using namespace mazurka;

// Who shares it follows from the memory that it is in.
MAZURKA_EXPORT int sem_init(sem_t* semaphore, int shared, unsigned value) {
  if (!attached()) return REAL(sem_init)(semaphore, shared, value);
  if (value > SEM_VALUE_MAX) return result_of(EINVAL);
  memset(semaphore, 0, sizeof *semaphore);
  world().object(make_tagged_object(semaphore, ObjectKind::Semaphore)).semaphore.value =
      static_cast<int32_t>(value);
  return 0;
}

MAZURKA_EXPORT int sem_wait(sem_t* semaphore) {
  if (!attached()) return REAL(sem_wait)(semaphore);
  return wait(semaphore, 0, MAZURKA_HERE);
}

MAZURKA_EXPORT int sem_trywait(sem_t* semaphore) {
  if (!attached()) return REAL(sem_trywait)(semaphore);
  return wait(semaphore, kTry, MAZURKA_HERE);
}

MAZURKA_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* time) {
  if (!attached()) return REAL(sem_timedwait)(semaphore, time);
  return wait_until(semaphore, CLOCK_REALTIME, *time, MAZURKA_HERE);
}

MAZURKA_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* time) {
  if (!attached()) return REAL(sem_clockwait)(semaphore, clock, time);
  return wait_until(semaphore, clock, *time, MAZURKA_HERE);
}

MAZURKA_EXPORT int sem_post(sem_t* semaphore) {
  if (!attached()) return REAL(sem_post)(semaphore);
  const Call call = MAZURKA_HERE;
  return result_of(
      reach({.kind = OpKind::SemPost, .object = semaphore_at(semaphore, call)}, call).error);
}

MAZURKA_EXPORT int sem_getvalue(sem_t* semaphore, int* value) {
  if (!attached()) return REAL(sem_getvalue)(semaphore, value);
  const Call call = MAZURKA_HERE;
  const Effect effect =
      reach({.kind = OpKind::SemGetValue, .object = semaphore_at(semaphore, call)}, call);
  *value = static_cast<int>(effect.value);
  return 0;
}

MAZURKA_EXPORT int sem_destroy(sem_t* semaphore) {
  if (!attached()) return REAL(sem_destroy)(semaphore);
  const Call call = MAZURKA_HERE;
  return result_of(
      destroy({.kind = OpKind::SemDestroy, .object = semaphore_at(semaphore, call)}, call).error);
}
