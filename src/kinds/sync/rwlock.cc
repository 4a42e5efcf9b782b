#include "kinds/sync/rwlock.h"

#include <errno.h>

#include "objects/clock.h"

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

namespace {

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

Effect apply_read_lock(World& world, ThreadId thread, const Operation& op) {
  ThreadState& me = world.thread(thread);
  Object& object = world.object(op.object);
  see(me, object);
  if (object.rwlock.writer != kNoThread) return refused(world, thread, op);
  object.rwlock.add_reader(thread);
  show(me, object.rwlock.readers_clock_ns);
  return {};
}

Effect apply_write_lock(World& world, ThreadId thread, const Operation& op) {
  ThreadState& me = world.thread(thread);
  Object& object = world.object(op.object);
  see(me, object);
  see(me, object.rwlock.readers_clock_ns);
  if (object.rwlock.held()) return refused(world, thread, op);
  object.rwlock.writer = thread;
  show(me, object);
  return {};
}

Effect apply_unlock(World& world, ThreadId thread, const Operation& op) {
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

Effect apply_destroy(World& world, ThreadId thread, const Operation& op) {
  ThreadState& me = world.thread(thread);
  Object& object = world.object(op.object);
  see(me, object.rwlock.readers_clock_ns);
  see_and_show(me, object);
  if (object.rwlock.held()) return {.misuse = Misuse::DestroyBusy};
  object.destroyed = true;
  return {};
}

}  // namespace

Outcomes rwlock_enabled(const World& world, ThreadId thread, const Operation& op) {
  if (op.flags & (kTry | kTimed)) return Outcomes::one();
  const RwLock& lock = world.object(op.object).rwlock;
  bool blocks = false;
  if (op.kind == OpKind::ReadLock) blocks = read_would_block(lock, thread);
  if (op.kind == OpKind::WriteLock) blocks = write_would_block(lock, thread);
  return blocks ? Outcomes::none() : Outcomes::one();
}

Effect rwlock_apply(World& world, ThreadId thread, const Operation& op) {
  switch (op.kind) {
    case OpKind::ReadLock:
      return apply_read_lock(world, thread, op);
    case OpKind::WriteLock:
      return apply_write_lock(world, thread, op);
    case OpKind::RwUnlock:
      return apply_unlock(world, thread, op);
    default:
      return apply_destroy(world, thread, op);
  }
}

}  // namespace mazurka
