#include "kinds/sync/semaphore.h"

#include <errno.h>

#include "objects/clock.h"

namespace mazurka {
namespace {

Effect apply_wait(World& world, ThreadId thread, const Operation& op) {
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
Effect apply_post(World& world, ThreadId thread, const Operation& op) {
  Object& object = world.object(op.object);
  if (object.semaphore.value == kMaxSemValue) return {.error = EOVERFLOW};
  ++object.semaphore.value;
  show(world.thread(thread), object);
  return {};
}

}  // namespace

Outcomes semaphore_enabled(const World& world, ThreadId, const Operation& op) {
  if (op.kind != OpKind::SemWait || (op.flags & (kTry | kTimed))) return Outcomes::one();
  return world.object(op.object).semaphore.value > 0 ? Outcomes::one() : Outcomes::none();
}

Effect semaphore_apply(World& world, ThreadId thread, const Operation& op) {
  switch (op.kind) {
    case OpKind::SemWait:
      return apply_wait(world, thread, op);
    case OpKind::SemPost:
      return apply_post(world, thread, op);
    case OpKind::SemGetValue:
      see(world.thread(thread), world.object(op.object));
      return {.value = world.object(op.object).semaphore.value};
    default:
      see_and_show(world.thread(thread), world.object(op.object));
      world.object(op.object).destroyed = true;
      return {};
  }
}

}  // namespace mazurka
