#include "kinds/sync/rwlock.h"

#include <errno.h>

#include "objects/access_mask.h"
#include "objects/asked.h"
#include "objects/clock.h"
#include "objects/kind_row.h"
#include "objects/op_row.h"
#include "objects/state_sink.h"

namespace mazurka {

bool RwLock::reads(ThreadId thread) const {
  for (uint32_t i = 0; i < known_readers; ++i) {
    if (readers[i].thread == thread) return true;
  }
  return false;
}

void RwLock::add_reader(ThreadId thread) {
  ++holds;
  for (uint32_t i = 0; i < known_readers; ++i) {
    if (readers[i].thread != thread) continue;
    ++readers[i].count;
    return;
  }
  if (known_readers == kMaxKnownReaders) {
    ++unknown_holds;
    return;
  }
  readers[known_readers++] = {thread, 1};
}

bool RwLock::remove_reader(ThreadId thread) {
  for (uint32_t i = 0; i < known_readers; ++i) {
    if (readers[i].thread != thread) continue;
    --holds;
    if (--readers[i].count == 0) readers[i] = readers[--known_readers];
    return true;
  }
  if (unknown_holds == 0) return false;
  --unknown_holds;
  --holds;
  return true;
}

namespace on_rwlock {

// Owning it for writing is not counted: that is an error, not a wait.
bool read_would_block(const RwLock& lock, ThreadId thread) {
  return lock.writer != kNoThread && lock.writer != thread;
}
bool write_would_block(const RwLock& lock, ThreadId thread) {
  return lock.held() && lock.writer != thread;
}

// What a lock returns that does not get it.
Effect refused(World& world, ThreadId thread, const Operation& op) {
  if (op.flags & kTry) return {.error = EBUSY};
  if (world.object(op.object).rwlock.writer == thread) return {.error = EDEADLK};
  jump_to(world.thread(thread), op.deadline_ns);
  return {.error = ETIMEDOUT};
}

Effect read_lock(World& world, ThreadId thread, const Operation& op, Outcome) {
  ThreadState& me = world.thread(thread);
  Object& object = world.object(op.object);
  see(me, object);
  if (object.rwlock.writer != kNoThread) return refused(world, thread, op);
  object.rwlock.add_reader(thread);
  show(me, object.rwlock.readers_clock_ns);
  return {};
}

Effect write_lock(World& world, ThreadId thread, const Operation& op, Outcome) {
  ThreadState& me = world.thread(thread);
  Object& object = world.object(op.object);
  see(me, object);
  see(me, object.rwlock.readers_clock_ns);
  if (object.rwlock.held()) return refused(world, thread, op);
  object.rwlock.writer = thread;
  show(me, object);
  return {};
}

Effect unlock(World& world, ThreadId thread, const Operation& op, Outcome) {
  ThreadState& me = world.thread(thread);
  Object& object = world.object(op.object);
  see(me, object);
  if (object.rwlock.writer == thread) {
    object.rwlock.writer = kNoThread;
    show(me, object);
    return {.value = 1};
  }
  if (!object.rwlock.remove_reader(thread)) return {.misuse = Misuse::UnlockNotOwned};
  show(me, object.rwlock.readers_clock_ns);
  return {};
}

Effect destroy(World& world, ThreadId thread, const Operation& op, Outcome) {
  ThreadState& me = world.thread(thread);
  Object& object = world.object(op.object);
  see(me, object.rwlock.readers_clock_ns);
  see_and_show(me, object);
  if (object.rwlock.held()) return {.misuse = Misuse::DestroyBusy};
  object.destroyed = true;
  return {};
}

Outcomes read_lock_enabled(const World& world, ThreadId thread, const Operation& op) {
  const bool can = (op.flags & (kTry | kTimed)) != 0 ||
                   !read_would_block(world.object(op.object).rwlock, thread);
  return can ? Outcomes::one() : Outcomes::none();
}

Outcomes write_lock_enabled(const World& world, ThreadId thread, const Operation& op) {
  const bool can = (op.flags & (kTry | kTimed)) != 0 ||
                   !write_would_block(world.object(op.object).rwlock, thread);
  return can ? Outcomes::one() : Outcomes::none();
}

// --- accesses: readers add to the readers' side, and read the side that writers write. When more
// threads read at once than are known by name (kMaxKnownReaders), their order shows in which
// unlocks are believed; that is not counted.

void read_lock_accesses(const Asked& asked, AccessList& out) {
  const RwLock& lock = asked.world.object(asked.op.object).rwlock;
  out.add(object_resource(asked.op.object), Mode::Read);
  if (asked.possible || lock.writer == kNoThread)
    out.add(object_resource(asked.op.object, kReaders), Mode::Add);
}

void write_lock_accesses(const Asked& asked, AccessList& out) {
  const bool free = !asked.world.object(asked.op.object).rwlock.held();
  const bool writes = asked.possible || free;
  if (asked.possible || !free) out.add(object_resource(asked.op.object, kReaders), Mode::Read);
  out.add(object_resource(asked.op.object), writes ? Mode::Write : Mode::Read);
}

void unlock_accesses(const Asked& asked, AccessList& out) {
  const bool wrote = asked.world.object(asked.op.object).rwlock.writer == asked.thread;
  out.add(object_resource(asked.op.object), wrote ? Mode::Write : Mode::Read);
  if (!wrote) out.add(object_resource(asked.op.object, kReaders), Mode::Add);
}

void destroy_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), Mode::Write);
}

// --- misuse

Misuse unlock_misuse(const World& world, ThreadId thread, const Operation& op) {
  const RwLock& lock = world.object(op.object).rwlock;
  const bool held = lock.writer == thread || lock.reads(thread) || lock.unknown_holds > 0;
  return held ? Misuse::None : Misuse::UnlockNotOwned;
}

Misuse destroy_misuse(const World& world, ThreadId, const Operation& op) {
  return world.object(op.object).rwlock.held() ? Misuse::DestroyBusy : Misuse::None;
}

// --- what is named

bool read_lock_mentions(const Mentioned& mentioned, AccessMask& mask) {
  mask.add(object_resource(mentioned.op.object), Mode::Read);
  mask.add(object_resource(mentioned.op.object, kReaders), Mode::Add);
  return true;
}

bool write_lock_mentions(const Mentioned& mentioned, AccessMask& mask) {
  mask.add(object_resource(mentioned.op.object), Mode::Write);
  mask.add(object_resource(mentioned.op.object, kReaders), Mode::Read);
  return true;
}

bool unlock_mentions(const Mentioned& mentioned, AccessMask& mask) {
  mask.add(object_resource(mentioned.op.object), Mode::Write);
  mask.add(object_resource(mentioned.op.object, kReaders), Mode::Add);
  return true;
}

// --- conditional dependency: a writer that cannot have it because of readers, and a reader that
// leaves at least one

bool commute(const World& world, ObjectId id, const Party& x, const Party& y) {
  const RwLock& lock = world.object(id).rwlock;
  if (!x.is(OpKind::WriteLock) || lock.writer != kNoThread || lock.holds == 0) return false;
  return y.is(OpKind::ReadLock) || (y.is(OpKind::RwUnlock) && lock.holds >= 2);
}

void state(const World& world, ObjectId id, StateSink& sink) {
  const RwLock& lock = world.object(id).rwlock;
  StateSet readers;
  for (uint32_t i = 0; i < lock.known_readers; ++i)
    readers.add({index(lock.readers[i].thread), lock.readers[i].count});
  sink.add({index(lock.writer), lock.holds, lock.unknown_holds, readers.value()});
  sink.add_clock(lock.readers_clock_ns);
}

}  // namespace on_rwlock

}  // namespace mazurka
