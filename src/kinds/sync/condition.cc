#include "kinds/sync/condition.h"

#include <errno.h>

#include "objects/clock.h"

namespace mazurka {
namespace {

constexpr Outcome kWoken = 0;
constexpr Outcome kTimedOut = 1;

// As glibc does, it releases one level only: a mutex that was locked twice stays locked.
Effect apply_wait(World& world, ThreadId thread, const Operation& op) {
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
Effect apply_reacquire(World& world, ThreadId thread, const Operation& op) {
  stop_waiting(world.thread(thread));
  return {.error = lock_mutex(world, thread, op.second)};
}

Effect apply_wake(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
  ThreadState& me = world.thread(thread);
  stop_waiting(me);
  if (outcome == kTimedOut) jump_to(me, op.deadline_ns);
  see_and_show(me, world.object(op.object));
  return {.error = outcome == kTimedOut ? ETIMEDOUT : 0};
}

Effect apply_signal(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
  see_and_show(world.thread(thread), world.object(op.object));
  if (outcome == kNobody) return {};
  wake(world, thread, ThreadId(outcome));
  return {.thread = ThreadId(outcome), .value = 1};
}

Effect apply_broadcast(World& world, ThreadId thread, const Operation& op) {
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
Effect apply_destroy(World& world, ThreadId thread, const Operation& op) {
  Object& object = world.object(op.object);
  see_and_show(world.thread(thread), object);
  if (has_waiters(world, op.object)) return {.misuse = Misuse::DestroyBusy};
  object.destroyed = true;
  return {};
}

}  // namespace

Outcomes condition_enabled(const World& world, ThreadId thread, const Operation& op) {
  const ThreadState& me = world.thread(thread);
  switch (op.kind) {
    case OpKind::CondReacquire:
      return me.woken && !world.object(op.second).mutex.would_block(thread) ? Outcomes::one()
                                                                            : Outcomes::none();
    case OpKind::CondWake:
      return Outcomes::one(me.woken ? kWoken : kTimedOut);
    case OpKind::CondSignal:
      return has_waiters(world, op.object) ? Outcomes::waiters(op.object) : Outcomes::one(kNobody);
    default:
      return Outcomes::one();
  }
}

Effect condition_apply(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
  switch (op.kind) {
    case OpKind::CondWait:
      return apply_wait(world, thread, op);
    case OpKind::CondReacquire:
      return apply_reacquire(world, thread, op);
    case OpKind::CondWake:
      return apply_wake(world, thread, op, outcome);
    case OpKind::CondSignal:
      return apply_signal(world, thread, op, outcome);
    case OpKind::CondBroadcast:
      return apply_broadcast(world, thread, op);
    default:
      return apply_destroy(world, thread, op);
  }
}

}  // namespace mazurka
