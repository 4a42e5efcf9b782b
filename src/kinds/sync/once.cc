#include "kinds/sync/once.h"

#include <errno.h>

#include "objects/asked.h"
#include "objects/clock.h"
#include "objects/state_sink.h"

namespace mazurka::on_once {

// Also disabled where the thread itself is inside: that is a deadlock.
Outcomes begin_enabled(const World& world, ThreadId, const Operation& op) {
  return world.object(op.object).once.state == Once::State::Running ? Outcomes::none()
                                                                    : Outcomes::one();
}

Effect begin(World& world, ThreadId thread, const Operation& op, Outcome) {
  ThreadState& me = world.thread(thread);
  Object& object = world.object(op.object);
  see(me, object);
  if (object.once.state == Once::State::Done) return {};
  object.once.state = Once::State::Running;
  object.once.runner = thread;
  show(me, object);
  return {.error = EAGAIN};
}

Effect end(World& world, ThreadId thread, const Operation& op, Outcome) {
  Object& object = world.object(op.object);
  see_and_show(world.thread(thread), object);
  object.once.state = op.value == 1 ? Once::State::Done : Once::State::Fresh;
  object.once.runner = kNoThread;
  return {};
}

void begin_accesses(const Asked& asked, AccessList& out) {
  const bool done = asked.world.object(asked.op.object).once.state == Once::State::Done;
  const bool looks = done && !asked.possible;
  out.add(object_resource(asked.op.object), looks ? Mode::Read : Mode::Write);
}

void end_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), Mode::Write);
}

void state(const World& world, ObjectId id, StateSink& sink) {
  const Once& once = world.object(id).once;
  sink.add({static_cast<int64_t>(once.state), index(once.runner)});
}

}  // namespace mazurka::on_once
