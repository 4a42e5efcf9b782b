#include "kinds/sync/mutex.h"

#include <errno.h>

#include "objects/clock.h"

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

namespace {

Effect apply_lock(World& world, ThreadId thread, const Operation& op) {
  int error = lock_mutex(world, thread, op.object);
  if (error == EDEADLK && (op.flags & kTry)) error = EBUSY;
  if (error == EBUSY && (op.flags & kTimed)) {
    error = ETIMEDOUT;
    jump_to(world.thread(thread), op.deadline_ns);
  }
  return {.error = error};
}

Effect apply_unlock(World& world, ThreadId thread, const Operation& op) {
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

Effect apply_destroy(World& world, ThreadId thread, const Operation& op) {
  Object& object = world.object(op.object);
  see_and_show(world.thread(thread), object);
  if (object.mutex.locked()) return {.misuse = Misuse::DestroyBusy};
  object.destroyed = true;
  return {};
}

Effect apply_consistent(World& world, ThreadId thread, const Operation& op) {
  Object& object = world.object(op.object);
  see_and_show(world.thread(thread), object);
  if (object.mutex.owner != thread || !object.mutex.inconsistent) return {.error = EINVAL};
  object.mutex.inconsistent = false;
  return {};
}

}  // namespace

Outcomes mutex_enabled(const World& world, ThreadId thread, const Operation& op) {
  if (op.kind != OpKind::MutexLock || (op.flags & (kTry | kTimed))) return Outcomes::one();
  return world.object(op.object).mutex.would_block(thread) ? Outcomes::none() : Outcomes::one();
}

Effect mutex_apply(World& world, ThreadId thread, const Operation& op) {
  switch (op.kind) {
    case OpKind::MutexLock:
      return apply_lock(world, thread, op);
    case OpKind::MutexUnlock:
      return apply_unlock(world, thread, op);
    case OpKind::MutexDestroy:
      return apply_destroy(world, thread, op);
    default:
      return apply_consistent(world, thread, op);
  }
}

}  // namespace mazurka
