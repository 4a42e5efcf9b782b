#include "kinds/sync/barrier.h"

#include "objects/clock.h"

namespace mazurka {
namespace {

// The last to arrive wakes the others and does not wait itself; that is how its leave knows the
// serial thread.
Effect apply_arrive(World& world, ThreadId thread, const Operation& op) {
  ThreadState& me = world.thread(thread);
  Object& object = world.object(op.object);
  Barrier& barrier = object.barrier;
  see_and_show(me, object);
  const int64_t round = barrier.round;
  if (++barrier.arrived < barrier.count) {
    start_waiting(me, op.object);
    return {.value = round};
  }
  barrier.arrived = 0;
  ++barrier.round;
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    if (world.waits_on(ThreadId(i), op.object)) wake(world, thread, ThreadId(i));
  }
  return {.value = round};
}

// Sees the time of its own round, which the last arrival gave to the thread, and not of later ones.
Effect apply_leave(World& world, ThreadId thread, const Operation& op) {
  ThreadState& me = world.thread(thread);
  const bool serial = me.waiting_on != op.object;
  stop_waiting(me);
  return {.value = serial ? 1 : 0};
}

Effect apply_destroy(World& world, ThreadId thread, const Operation& op) {
  Object& object = world.object(op.object);
  see_and_show(world.thread(thread), object);
  if (object.barrier.arrived > 0) return {.misuse = Misuse::DestroyBusy};
  object.destroyed = true;
  return {};
}

}  // namespace

Outcomes barrier_enabled(const World& world, ThreadId, const Operation& op) {
  if (op.kind != OpKind::BarrierLeave) return Outcomes::one();
  return world.object(op.object).barrier.round > op.value ? Outcomes::one() : Outcomes::none();
}

Effect barrier_apply(World& world, ThreadId thread, const Operation& op) {
  switch (op.kind) {
    case OpKind::BarrierArrive:
      return apply_arrive(world, thread, op);
    case OpKind::BarrierLeave:
      return apply_leave(world, thread, op);
    default:
      return apply_destroy(world, thread, op);
  }
}

}  // namespace mazurka
