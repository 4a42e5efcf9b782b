// Locking and unlocking a mutex, which programs do most (objects/frequent.h): here, so that the
// compiler can put it in place. The rest of the model is in mutex.cc.
#pragma once

#include <errno.h>

#include "kinds/sync/mutex.h"
#include "objects/asked.h"
#include "objects/clock.h"

namespace mazurka {

// What locking it accesses, also as a part of another operation.
inline Mode lock_mode(const Asked& asked, ObjectId id) {
  Mutex mutex = asked.world.object(id).mutex;
  const int error = mutex.lock(asked.thread);
  return asked.possible || error == 0 || error == EOWNERDEAD ? Mode::Write : Mode::Read;
}

// Whether the thread owns it: that does not change while it stands before an operation.
inline bool owns_mutex(const Asked& asked, ObjectId id) {
  return asked.world.object(id).mutex.owner == asked.thread;
}

// Locking as a part of another operation, too: the end of a condition wait. Keeps the clocks and
// the thread's count of robust mutexes.
inline int lock_mutex(World& world, ThreadId thread, ObjectId mutex) {
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

// Requires that `thread` owns it. The clocks are the caller's.
inline void unlock_mutex(World& world, ThreadId thread, ObjectId mutex) {
  Mutex& m = world.object(mutex).mutex;
  m.unlock();
  if (m.robust && !m.locked()) --world.thread(thread).robust_held;
}

namespace on_mutex {

inline Outcomes lock_enabled(const World& world, ThreadId thread, const Operation& op) {
  if (op.flags & (kTry | kTimed)) return Outcomes::one();
  return world.object(op.object).mutex.would_block(thread) ? Outcomes::none() : Outcomes::one();
}

inline Effect lock(World& world, ThreadId thread, const Operation& op, Outcome) {
  int error = lock_mutex(world, thread, op.object);
  if (error == EDEADLK && (op.flags & kTry)) error = EBUSY;
  if (error == EBUSY && (op.flags & kTimed)) {
    error = ETIMEDOUT;
    jump_to(world.thread(thread), op.deadline_ns);
  }
  return {.error = error};
}

inline Effect unlock(World& world, ThreadId thread, const Operation& op, Outcome) {
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

inline void lock_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), lock_mode(asked, asked.op.object));
}

inline void unlock_accesses(const Asked& asked, AccessList& out) {
  const Mode mode = owns_mutex(asked, asked.op.object) ? Mode::Write : Mode::Read;
  out.add(object_resource(asked.op.object), mode);
}

inline Misuse unlock_misuse(const World& world, ThreadId thread, const Operation& op) {
  const Mutex& mutex = world.object(op.object).mutex;
  const bool undefined = mutex.owner != thread && !mutex.checks_owner();
  return undefined ? Misuse::UnlockNotOwned : Misuse::None;
}

}  // namespace on_mutex

}  // namespace mazurka
