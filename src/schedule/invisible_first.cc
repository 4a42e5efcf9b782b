#include "schedule/invisible_first.h"

#include "base/check.h"
#include "objects/choices.h"
#include "objects/op_table.h"

namespace mazurka {
namespace {

bool releases_mutex(const World& world, ThreadId thread, ObjectId id) {
  const Object& object = world.object(id);
  return !object.destroyed && object.mutex.owner == thread && !object.mutex.robust;
}

bool locks_again(const World& world, ThreadId thread, const Operation& op) {
  const Object& object = world.object(op.object);
  return !object.destroyed && object.mutex.owner == thread && !object.mutex.robust &&
         object.mutex.type == MutexType::Recursive && object.mutex.depth < UINT32_MAX;
}

// Where more threads read than are known by name, an unlock may be anybody's.
bool releases_rwlock(const World& world, ThreadId thread, ObjectId id) {
  const Object& object = world.object(id);
  return !object.destroyed && (object.rwlock.writer == thread || object.rwlock.reads(thread));
}

}  // namespace

bool looks_at_lock(const Operation& op) {
  switch (row_of(op.kind).looks_at_lock) {
    case LooksAtLock::Undecided:  // it is on no lock
    case LooksAtLock::No:
      return false;
    case LooksAtLock::TryOrTimed:
      return (op.flags & (kTry | kTimed)) != 0;
    case LooksAtLock::Yes:
      return true;
  }
  return true;
}

bool is_invisible(const World& world, const LockMarks& visible, ThreadId thread) {
  MAZURKA_DEBUG_CHECK(world.thread(thread).status == ThreadStatus::AtOperation);
  const Operation& op = world.thread(thread).pending;
  if (op.kind == OpKind::MutexLock) return locks_again(world, thread, op);
  if (op.kind == OpKind::MutexUnlock)
    return !visible.has(op.object) && releases_mutex(world, thread, op.object);
  return op.kind == OpKind::RwUnlock && !visible.has(op.object) &&
         releases_rwlock(world, thread, op.object);
}

ThreadId first_invisible(const World& world, const LockMarks& visible, uint32_t bound) {
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    const ThreadState& thread = world.threads[i];
    if (thread.status != ThreadStatus::AtOperation || stands_at_bound(thread, bound)) continue;
    if (is_invisible(world, visible, ThreadId(i))) return ThreadId(i);
  }
  return kNoThread;
}

}  // namespace mazurka
