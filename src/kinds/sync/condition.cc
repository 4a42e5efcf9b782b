#include "kinds/sync/condition.h"

#include <errno.h>

#include "kinds/sync/mutex_steps.h"
#include "kinds/sync/waiters.h"
#include "objects/access_mask.h"
#include "objects/asked.h"
#include "objects/clock.h"
#include "objects/op_row.h"
#include "objects/state_sink.h"

namespace mazurka {
namespace on_condition {

// As glibc does, it releases one level only: a mutex that was locked twice stays locked.
Effect wait(World& world, ThreadId thread, const Operation& op, Outcome) {
  ThreadState& me = world.thread(thread);
  Object& object = world.object(op.object);
  Object& mutex = world.object(op.second);
  see(me, object);
  see(me, mutex);
  if (mutex.mutex.owner != thread) {
    if (mutex.mutex.checks_owner()) return {.error = EPERM};
    return {.misuse = Misuse::WaitNotOwned};
  }
  if (object.condition.mutex != op.second && has_waiters(world, op.object)) {
    return {.misuse = Misuse::TwoMutexes};
  }
  object.condition.mutex = op.second;
  unlock_mutex(world, thread, op.second);
  start_waiting(me, op.object);
  show(me, object);
  show(me, mutex);
  return {};
}

// Touches the mutex, and not the condition: what others do to that after the wake-up is none of
// this thread's business.
Effect reacquire(World& world, ThreadId thread, const Operation& op, Outcome) {
  stop_waiting(world.thread(thread));
  return {.error = lock_mutex(world, thread, op.second)};
}

Effect wake_up(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
  ThreadState& me = world.thread(thread);
  stop_waiting(me);
  if (outcome == kTimedOut) jump_to(me, op.deadline_ns);
  see_and_show(me, world.object(op.object));
  return {.error = outcome == kTimedOut ? ETIMEDOUT : 0};
}

Effect signal(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
  see_and_show(world.thread(thread), world.object(op.object));
  if (outcome == kNobody) return {};
  wake(world, thread, ThreadId(outcome));
  return {.thread = ThreadId(outcome), .value = 1};
}

Effect broadcast(World& world, ThreadId thread, const Operation& op, Outcome) {
  see_and_show(world.thread(thread), world.object(op.object));
  Effect effect;
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    if (!world.waits_on(ThreadId(i), op.object)) continue;
    wake(world, thread, ThreadId(i));
    if (effect.value++ == 0) effect.thread = ThreadId(i);
  }
  return effect;
}

// Those who are woken and have not gone on yet do not hinder it: they do not come back to the
// condition.
Effect destroy(World& world, ThreadId thread, const Operation& op, Outcome) {
  Object& object = world.object(op.object);
  see_and_show(world.thread(thread), object);
  if (has_waiters(world, op.object)) return {.misuse = Misuse::DestroyBusy};
  object.destroyed = true;
  return {};
}

Outcomes reacquire_enabled(const World& world, ThreadId thread, const Operation& op) {
  const bool can = world.thread(thread).woken && !world.object(op.second).mutex.would_block(thread);
  return can ? Outcomes::one() : Outcomes::none();
}

Outcomes wake_enabled(const World& world, ThreadId thread, const Operation&) {
  return Outcomes::one(world.thread(thread).woken ? kWoken : kTimedOut);
}

// --- accesses

void wait_accesses(const Asked& asked, AccessList& out) {
  const Mode mode = owns_mutex(asked, asked.op.second) ? Mode::Write : Mode::Read;
  out.add(object_resource(asked.op.object), mode);
  out.add(object_resource(asked.op.second), mode);
}

void reacquire_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.second), lock_mode(asked, asked.op.second));
  out.add(wake_resource(asked.thread), Mode::Read);
}

void wake_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), Mode::Write);
  out.add(wake_resource(asked.thread), Mode::Read);
}

void signal_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), Mode::Write);
  on_waiters::wakes_one(asked, out);
}

void broadcast_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), Mode::Write);
  on_waiters::wakes_all(asked, out);
}

void destroy_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), Mode::Write);
}

// --- misuse

Misuse wait_misuse(const World& world, ThreadId thread, const Operation& op) {
  const Mutex& mutex = world.object(op.second).mutex;
  if (mutex.owner != thread) return mutex.checks_owner() ? Misuse::None : Misuse::WaitNotOwned;
  const bool other = world.object(op.object).condition.mutex != op.second;
  return other && has_waiters(world, op.object) ? Misuse::TwoMutexes : Misuse::None;
}

Misuse destroy_misuse(const World& world, ThreadId, const Operation& op) {
  return has_waiters(world, op.object) ? Misuse::DestroyBusy : Misuse::None;
}

void wait_misuse_accesses(const Asked& asked, Mode mode, AccessList& out) {
  if (asked.op.second != kNoObject) out.add(object_resource(asked.op.second), Mode::Read);
  misuse_seen_by_object(asked, mode, out);
}

void reacquire_misuse_accesses(const Asked& asked, Mode, AccessList& out) {
  if (asked.op.second != kNoObject) out.add(object_resource(asked.op.second), Mode::Read);
  out.add(wake_resource(asked.thread), Mode::Read);
}

// --- what is named

bool wait_mentions(const Mentioned& mentioned, AccessMask& mask) {
  mask.add(object_resource(mentioned.op.object), Mode::Write);
  mask.add(object_resource(mentioned.op.second), Mode::Write);
  return true;
}

bool reacquire_mentions(const Mentioned& mentioned, AccessMask& mask) {
  mask.add(object_resource(mentioned.op.second), Mode::Write);
  mask.add(wake_resource(mentioned.thread), Mode::Read);
  return true;
}

bool wake_mentions(const Mentioned& mentioned, AccessMask& mask) {
  mask.add(object_resource(mentioned.op.object), Mode::Write);
  mask.add(wake_resource(mentioned.thread), Mode::Read);
  return true;
}

bool signal_mentions(const Mentioned& mentioned, AccessMask& mask) {
  mask.add(object_resource(mentioned.op.object), Mode::Write);
  mask.changes |= kAllWakes;
  return true;
}

void state(const World& world, ObjectId id, StateSink& sink) {
  sink.add({index(world.object(id).condition.mutex)});
}

}  // namespace on_condition

}  // namespace mazurka
