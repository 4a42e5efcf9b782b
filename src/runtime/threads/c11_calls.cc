// C11's mtx_*, cnd_*, thrd_*, tss_* and call_once. glibc's own go past our pthread names, so these
// lead to them, or do the same operation where its place in the program would be lost. The types
// have the bytes of the pthread ones. thrd_current and thrd_equal only look at the handle: libc's
// do.
#include <pthread.h>
#include <sched.h>
#include <threads.h>

#include <cerrno>

#include "runtime/core/runtime.h"
#include "runtime/sync/condition_calls.h"
#include "runtime/sync/mutex_calls.h"
#include "runtime/sync/once_calls.h"
#include "runtime/threads/threads.h"

namespace mazurka {
namespace {

static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t));

pthread_mutex_t* posix(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* posix(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }

int c11_result(int error) {
  switch (error) {
    case 0:
      return thrd_success;
    case ENOMEM:
      return thrd_nomem;
    case ETIMEDOUT:
      return thrd_timedout;
    case EBUSY:
      return thrd_busy;
    default:
      return thrd_error;
  }
}

int c11_mutex(OpKind kind, uint8_t flags, int64_t deadline_ns, mtx_t* mutex, Call call) {
  Operation op{.kind = kind, .flags = flags, .object = mutex_at(posix(mutex), call)};
  op.deadline_ns = deadline_ns;
  return c11_result(reach(op, call).error);
}

int c11_condition(OpKind kind, cnd_t* condition, Call call) {
  return c11_result(
      reach({.kind = kind, .object = condition_at(posix(condition), call)}, call).error);
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int mtx_init(mtx_t* mutex, int type) {
  if (!attached()) return REAL(mtx_init)(mutex, type);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes,
                            type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  return c11_result(pthread_mutex_init(posix(mutex), &attributes));
}

MAZURKA_EXPORT int mtx_lock(mtx_t* mutex) {
  if (!attached()) return REAL(mtx_lock)(mutex);
  return c11_mutex(OpKind::MutexLock, 0, 0, mutex, MAZURKA_HERE);
}

MAZURKA_EXPORT int mtx_trylock(mtx_t* mutex) {
  if (!attached()) return REAL(mtx_trylock)(mutex);
  return c11_mutex(OpKind::MutexLock, kTry, 0, mutex, MAZURKA_HERE);
}

MAZURKA_EXPORT int mtx_timedlock(mtx_t* mutex, const timespec* time) {
  if (!attached()) return REAL(mtx_timedlock)(mutex, time);
  if (!is_valid(*time)) return thrd_error;
  return c11_mutex(OpKind::MutexLock, kTimed, deadline_of(CLOCK_REALTIME, *time), mutex,
                   MAZURKA_HERE);
}

MAZURKA_EXPORT int mtx_unlock(mtx_t* mutex) {
  if (!attached()) return REAL(mtx_unlock)(mutex);
  return c11_mutex(OpKind::MutexUnlock, 0, 0, mutex, MAZURKA_HERE);
}

MAZURKA_EXPORT void mtx_destroy(mtx_t* mutex) {
  if (!attached()) return REAL(mtx_destroy)(mutex);
  const Call call = MAZURKA_HERE;
  destroy({.kind = OpKind::MutexDestroy, .object = mutex_at(posix(mutex), call)}, call);
}

MAZURKA_EXPORT int cnd_init(cnd_t* condition) {
  if (!attached()) return REAL(cnd_init)(condition);
  return c11_result(pthread_cond_init(posix(condition), nullptr));
}

MAZURKA_EXPORT int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  if (!attached()) return REAL(cnd_wait)(condition, mutex);
  return c11_result(wait_on(posix(condition), posix(mutex), MAZURKA_HERE));
}

MAZURKA_EXPORT int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* time) {
  if (!attached()) return REAL(cnd_timedwait)(condition, mutex, time);
  return c11_result(
      wait_on_until(posix(condition), posix(mutex), CLOCK_REALTIME, *time, MAZURKA_HERE));
}

MAZURKA_EXPORT int cnd_signal(cnd_t* condition) {
  if (!attached()) return REAL(cnd_signal)(condition);
  return c11_condition(OpKind::CondSignal, condition, MAZURKA_HERE);
}

MAZURKA_EXPORT int cnd_broadcast(cnd_t* condition) {
  if (!attached()) return REAL(cnd_broadcast)(condition);
  return c11_condition(OpKind::CondBroadcast, condition, MAZURKA_HERE);
}

MAZURKA_EXPORT void cnd_destroy(cnd_t* condition) {
  if (!attached()) return REAL(cnd_destroy)(condition);
  const Call call = MAZURKA_HERE;
  destroy({.kind = OpKind::CondDestroy, .object = condition_at(posix(condition), call)}, call);
}

// A function that returns int leaves it in the low half of the register in which one that returns a
// pointer leaves that (thrd_join looks at no more), so the program's own function is what starts,
// and what reports name.
MAZURKA_EXPORT int thrd_create(thrd_t* thread, thrd_start_t start, void* argument) {
  if (!attached()) return REAL(thrd_create)(thread, start, argument);
  const auto routine = reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(start));
  const int error = pthread_create(thread, nullptr, routine, argument);
  return error == EAGAIN ? thrd_nomem : c11_result(error);
}

MAZURKA_EXPORT int thrd_join(thrd_t thread, int* result) {
  if (!attached()) return REAL(thrd_join)(thread, result);
  void* returned = nullptr;
  const int error = join_thread(thread, &returned, 0, 0, MAZURKA_HERE);
  if (result != nullptr) *result = static_cast<int>(reinterpret_cast<intptr_t>(returned));
  return c11_result(error);
}

MAZURKA_EXPORT int thrd_detach(thrd_t thread) {
  if (!attached()) return REAL(thrd_detach)(thread);
  return c11_result(pthread_detach(thread));
}

MAZURKA_EXPORT void thrd_exit(int result) {
  if (!attached()) REAL(thrd_exit)(result);
  pthread_exit(reinterpret_cast<void*>(static_cast<intptr_t>(result)));
}

MAZURKA_EXPORT void thrd_yield() { sched_yield(); }

MAZURKA_EXPORT int thrd_sleep(const timespec* duration, timespec* left) {
  constexpr int kFailed = -2;  // -1 would mean that a signal came
  if (!attached()) return REAL(thrd_sleep)(duration, left);
  return clock_nanosleep(CLOCK_REALTIME, 0, duration, left) == 0 ? 0 : kFailed;
}

MAZURKA_EXPORT void call_once(once_flag* flag, void (*routine)()) {
  if (!attached()) return REAL(call_once)(flag, routine);
  run_once(&flag->__data, routine, MAZURKA_HERE);
}

MAZURKA_EXPORT int tss_create(tss_t* key, tss_dtor_t destructor) {
  if (!attached()) return REAL(tss_create)(key, destructor);
  return c11_result(pthread_key_create(key, destructor));
}

MAZURKA_EXPORT void tss_delete(tss_t key) { pthread_key_delete(key); }
MAZURKA_EXPORT void* tss_get(tss_t key) { return pthread_getspecific(key); }
MAZURKA_EXPORT int tss_set(tss_t key, void* value) {
  return c11_result(pthread_setspecific(key, value));
}
