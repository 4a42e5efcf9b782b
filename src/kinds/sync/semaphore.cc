#include "kinds/sync/semaphore.h"

#include <errno.h>

#include "kinds/sync/sem_set.h"
#include "objects/asked.h"
#include "objects/clock.h"
#include "objects/kind_row.h"
#include "objects/state_sink.h"

namespace mazurka {
namespace on_semaphore {

Effect wait(World& world, ThreadId thread, const Operation& op, Outcome) {
  ThreadState& me = world.thread(thread);
  Object& object = world.object(op.object);
  see(me, object);
  if (object.semaphore.value > 0) {
    --object.semaphore.value;
    show(me, object);
    return {};
  }
  if (op.flags & kTry) return {.error = EAGAIN};
  jump_to(me, op.deadline_ns);
  return {.error = ETIMEDOUT};
}

// Posts commute, so they do not see each other's time.
Effect post(World& world, ThreadId thread, const Operation& op, Outcome) {
  Object& object = world.object(op.object);
  if (object.semaphore.value == kMaxSemValue) return {.error = EOVERFLOW};
  ++object.semaphore.value;
  show(world.thread(thread), object);
  return {};
}

Effect get_value(World& world, ThreadId thread, const Operation& op, Outcome) {
  see(world.thread(thread), world.object(op.object));
  return {.value = world.object(op.object).semaphore.value};
}

Effect destroy(World& world, ThreadId thread, const Operation& op, Outcome) {
  see_and_show(world.thread(thread), world.object(op.object));
  world.object(op.object).destroyed = true;
  return {};
}

Outcomes wait_enabled(const World& world, ThreadId, const Operation& op) {
  const bool can = (op.flags & (kTry | kTimed)) != 0 || world.object(op.object).semaphore.value > 0;
  return can ? Outcomes::one() : Outcomes::none();
}

// --- accesses

void wait_accesses(const Asked& asked, AccessList& out) {
  const bool takes = asked.possible || asked.world.object(asked.op.object).semaphore.value > 0;
  out.add(object_resource(asked.op.object), takes ? Mode::Write : Mode::Read);
}

// Additions commute as long as the sum does not meet the limit.
void post_accesses(const Asked& asked, AccessList& out) {
  constexpr int64_t kFarFromLimit = int64_t{kMaxSemValue} - kMaxThreads;
  const int64_t value = asked.world.object(asked.op.object).semaphore.value;
  out.add(object_resource(asked.op.object), value < kFarFromLimit ? Mode::Add : Mode::Write);
}

void get_value_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), Mode::Read);
}

void destroy_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), Mode::Write);
}

// --- conditional dependency

bool commute(const World& world, ObjectId id, const Party& x, const Party& y) {
  if (x.is(OpKind::Semop) && y.is(OpKind::Semop)) return on_sem_set::semops_commute(world, x, y);
  const Semaphore& semaphore = world.object(id).semaphore;
  const bool posts = x.is(OpKind::SemPost) && semaphore.value <= kMaxSemValue - 2;
  const bool waits = x.is(OpKind::SemWait) && semaphore.value >= 2;
  if (y.is(OpKind::SemPost)) return posts;
  return y.is(OpKind::SemWait) && semaphore.value >= 1 && (posts || waits);
}

void state(const World& world, ObjectId id, StateSink& sink) {
  sink.add({world.object(id).semaphore.value});
}

}  // namespace on_semaphore

}  // namespace mazurka
