#include "kinds/sync/barrier.h"

#include "kinds/sync/waiters.h"
#include "objects/access_mask.h"
#include "objects/asked.h"
#include "objects/clock.h"
#include "objects/kind_row.h"
#include "objects/op_row.h"
#include "objects/state_sink.h"

namespace mazurka {
namespace on_barrier {

// The last to arrive wakes the others and does not wait itself; that is how its leave knows the
// serial thread.
Effect arrive(World& world, ThreadId thread, const Operation& op, Outcome) {
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
Effect leave(World& world, ThreadId thread, const Operation& op, Outcome) {
  ThreadState& me = world.thread(thread);
  const bool serial = me.waiting_on != op.object;
  stop_waiting(me);
  return {.value = serial ? 1 : 0};
}

Effect destroy(World& world, ThreadId thread, const Operation& op, Outcome) {
  Object& object = world.object(op.object);
  see_and_show(world.thread(thread), object);
  if (object.barrier.arrived > 0) return {.misuse = Misuse::DestroyBusy};
  object.destroyed = true;
  return {};
}

Outcomes leave_enabled(const World& world, ThreadId, const Operation& op) {
  return world.object(op.object).barrier.round > op.value ? Outcomes::one() : Outcomes::none();
}

// --- accesses

void arrive_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), Mode::Write);
  const Barrier& barrier = asked.world.object(asked.op.object).barrier;
  const bool completes = barrier.arrived + 1 >= barrier.count;
  if (asked.possible || completes) on_waiters::wakes_all(asked, out);
}

// A leave knows its own round alone: the one who completed it woke this thread.
void leave_accesses(const Asked& asked, AccessList& out) {
  out.add(wake_resource(asked.thread), Mode::Read);
}

void destroy_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), Mode::Write);
}

Misuse destroy_misuse(const World& world, ThreadId, const Operation& op) {
  return world.object(op.object).barrier.arrived > 0 ? Misuse::DestroyBusy : Misuse::None;
}

// --- what is named

bool arrive_mentions(const Mentioned& mentioned, AccessMask& mask) {
  mask.add(object_resource(mentioned.op.object), Mode::Write);
  mask.changes |= kAllWakes;
  return true;
}

bool leave_mentions(const Mentioned& mentioned, AccessMask& mask) {
  mask.add(wake_resource(mentioned.thread), Mode::Read);
  return true;
}

// Two arrivals that do not complete the round.
bool commute(const World& world, ObjectId id, const Party& x, const Party& y) {
  const Barrier& barrier = world.object(id).barrier;
  return x.is(OpKind::BarrierArrive) && y.is(OpKind::BarrierArrive) &&
         uint64_t{barrier.arrived} + 2 < barrier.count;
}

void state(const World& world, ObjectId id, StateSink& sink) {
  const Barrier& barrier = world.object(id).barrier;
  sink.add({barrier.arrived, barrier.round});
}

}  // namespace on_barrier

}  // namespace mazurka
