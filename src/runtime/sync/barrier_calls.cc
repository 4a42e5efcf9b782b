// pthread_barrier_*: calls become operations on kinds/sync/barrier.h.
#include <pthread.h>

#include <cerrno>
#include <climits>
#include <cstring>

#include "runtime/core/runtime.h"

namespace mazurka {
namespace {

ObjectId barrier_at(pthread_barrier_t* barrier, Call call) {
  const ObjectId known = tagged_object(barrier, ObjectKind::Barrier);
  if (known == kNoObject) misuse(Misuse::NotInitialised, call);
  return known;
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int pthread_barrier_init(pthread_barrier_t* barrier,
                                        const pthread_barrierattr_t* attributes, unsigned count) {
  if (!attached()) return REAL(pthread_barrier_init)(barrier, attributes, count);
  if (count == 0 || count > INT_MAX) return EINVAL;
  memset(barrier, 0, sizeof *barrier);
  world().object(make_tagged_object(barrier, ObjectKind::Barrier)).barrier.count = count;
  return 0;
}

MAZURKA_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) {
  if (!attached()) return REAL(pthread_barrier_wait)(barrier);
  const Call call = MAZURKA_HERE;
  const ObjectId object = barrier_at(barrier, call);
  const int64_t round = reach({.kind = OpKind::BarrierArrive, .object = object}, call).value;
  const Effect left = reach({.kind = OpKind::BarrierLeave, .object = object, .value = round}, call);
  return left.value != 0 ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

MAZURKA_EXPORT int pthread_barrier_destroy(pthread_barrier_t* barrier) {
  if (!attached()) return REAL(pthread_barrier_destroy)(barrier);
  const Call call = MAZURKA_HERE;
  return destroy({.kind = OpKind::BarrierDestroy, .object = barrier_at(barrier, call)}, call).error;
}
