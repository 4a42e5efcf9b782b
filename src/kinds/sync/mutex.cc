#include "kinds/sync/mutex_steps.h"
#include "objects/kind_row.h"
#include "objects/state_sink.h"

namespace mazurka {

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

namespace on_mutex {

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

void write_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), Mode::Write);
}

// --- misuse

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
