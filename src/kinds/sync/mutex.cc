#include "kinds/sync/mutex.h"

#include <errno.h>

#include "objects/asked.h"
#include "objects/clock.h"
#include "objects/kind_row.h"
#include "objects/state_sink.h"

namespace mazurka {

bool Mutex::would_block(ThreadId thread) const {
  if (!locked()) return false;
  if (owner != thread) return true;
  return type == MutexType::Normal || type == MutexType::Spin;
}

int Mutex::lock(ThreadId thread) {
  if (not_recoverable) return ENOTRECOVERABLE;
  if (would_block(thread)) return EBUSY;
  if (owner == thread) {
    if (type == MutexType::ErrorCheck) return EDEADLK;
    if (depth == UINT32_MAX) return EAGAIN;
    ++depth;
    return 0;
  }
  owner = thread;
  depth = 1;
  if (!owner_dead) return 0;
  owner_dead = false;
  inconsistent = true;
  return EOWNERDEAD;
}

void Mutex::unlock() {
  if (--depth > 0) return;
  owner = kNoThread;
  not_recoverable = inconsistent;
  inconsistent = false;
}

void Mutex::abandon() {
  owner = kNoThread;
  depth = 0;
  inconsistent = false;
  owner_dead = true;
}

Mode lock_mode(const Asked& asked, ObjectId id) {
  Mutex mutex = asked.world.object(id).mutex;
  const int error = mutex.lock(asked.thread);
  return asked.possible || error == 0 || error == EOWNERDEAD ? Mode::Write : Mode::Read;
}

bool owns_mutex(const Asked& asked, ObjectId id) {
  return asked.world.object(id).mutex.owner == asked.thread;
}

int lock_mutex(World& world, ThreadId thread, ObjectId mutex) {
  ThreadState& me = world.thread(thread);
  Object& object = world.object(mutex);
  const bool was_mine = object.mutex.owner == thread;
  const int error = object.mutex.lock(thread);
  see(me, object);
  if (error != 0 && error != EOWNERDEAD) return error;
  show(me, object);
  if (object.mutex.robust && !was_mine) ++me.robust_held;
  return error;
}

void unlock_mutex(World& world, ThreadId thread, ObjectId mutex) {
  Mutex& m = world.object(mutex).mutex;
  m.unlock();
  if (m.robust && !m.locked()) --world.thread(thread).robust_held;
}

namespace on_mutex {

Outcomes lock_enabled(const World& world, ThreadId thread, const Operation& op) {
  if (op.flags & (kTry | kTimed)) return Outcomes::one();
  return world.object(op.object).mutex.would_block(thread) ? Outcomes::none() : Outcomes::one();
}

Effect lock(World& world, ThreadId thread, const Operation& op, Outcome) {
  int error = lock_mutex(world, thread, op.object);
  if (error == EDEADLK && (op.flags & kTry)) error = EBUSY;
  if (error == EBUSY && (op.flags & kTimed)) {
    error = ETIMEDOUT;
    jump_to(world.thread(thread), op.deadline_ns);
  }
  return {.error = error};
}

Effect unlock(World& world, ThreadId thread, const Operation& op, Outcome) {
  ThreadState& me = world.thread(thread);
  Object& object = world.object(op.object);
  see(me, object);
  if (object.mutex.owner != thread) {
    if (object.mutex.checks_owner()) return {.error = EPERM};
    return {.misuse = Misuse::UnlockNotOwned};
  }
  unlock_mutex(world, thread, op.object);
  show(me, object);
  return {};
}

Effect destroy(World& world, ThreadId thread, const Operation& op, Outcome) {
  Object& object = world.object(op.object);
  see_and_show(world.thread(thread), object);
  if (object.mutex.locked()) return {.misuse = Misuse::DestroyBusy};
  object.destroyed = true;
  return {};
}

Effect make_consistent(World& world, ThreadId thread, const Operation& op, Outcome) {
  Object& object = world.object(op.object);
  see_and_show(world.thread(thread), object);
  if (object.mutex.owner != thread || !object.mutex.inconsistent) return {.error = EINVAL};
  object.mutex.inconsistent = false;
  return {};
}

// --- accesses

void lock_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), lock_mode(asked, asked.op.object));
}

void unlock_accesses(const Asked& asked, AccessList& out) {
  const Mode mode = owns_mutex(asked, asked.op.object) ? Mode::Write : Mode::Read;
  out.add(object_resource(asked.op.object), mode);
}

void write_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), Mode::Write);
}

// --- misuse

Misuse unlock_misuse(const World& world, ThreadId thread, const Operation& op) {
  const Mutex& mutex = world.object(op.object).mutex;
  const bool undefined = mutex.owner != thread && !mutex.checks_owner();
  return undefined ? Misuse::UnlockNotOwned : Misuse::None;
}

Misuse destroy_misuse(const World& world, ThreadId, const Operation& op) {
  return world.object(op.object).mutex.locked() ? Misuse::DestroyBusy : Misuse::None;
}

// --- conditional dependency

namespace {

bool refused_unlock(const Mutex& mutex, const Party& x) {
  return x.is(OpKind::MutexUnlock) && mutex.owner != x.thread;
}
bool cannot_take(const Mutex& mutex, const Party& x) {
  return x.is(OpKind::MutexLock) && mutex.would_block(x.thread);
}
// A further level of the one who owns it, or a repair.
bool keeps_owner(const Mutex& mutex, const Party& x) {
  if (mutex.owner != x.thread) return false;
  return x.is(OpKind::MutexLock) || (x.is(OpKind::MutexUnlock) && mutex.depth > 1) ||
         x.is(OpKind::MutexConsistent);
}

}  // namespace

bool commute(const World& world, ObjectId id, const Party& x, const Party& y) {
  const Mutex& mutex = world.object(id).mutex;
  if (refused_unlock(mutex, x)) return y.is(OpKind::MutexLock) || y.is(OpKind::MutexUnlock);
  return cannot_take(mutex, x) && keeps_owner(mutex, y);
}

void state(const World& world, ObjectId id, StateSink& sink) {
  const Mutex& m = world.object(id).mutex;
  sink.add({index(m.owner), m.depth, m.owner_dead, m.inconsistent, m.not_recoverable});
}

}  // namespace on_mutex

}  // namespace mazurka
