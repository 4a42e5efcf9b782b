#include "kinds/sync/once.h"

#include <errno.h>

#include "objects/clock.h"

namespace mazurka {

// Also disabled where the thread itself is inside: that is a deadlock.
Outcomes once_enabled(const World& world, ThreadId, const Operation& op) {
  if (op.kind == OpKind::OnceEnd) return Outcomes::one();
  return world.object(op.object).once.state == Once::State::Running ? Outcomes::none()
                                                                    : Outcomes::one();
}

Effect once_apply(World& world, ThreadId thread, const Operation& op) {
  ThreadState& me = world.thread(thread);
  Object& object = world.object(op.object);
  see(me, object);
  if (op.kind == OpKind::OnceEnd) {
    object.once.state = op.value == 1 ? Once::State::Done : Once::State::Fresh;
    object.once.runner = kNoThread;
    show(me, object);
    return {};
  }
  if (object.once.state == Once::State::Done) return {};
  object.once.state = Once::State::Running;
  object.once.runner = thread;
  show(me, object);
  return {.error = EAGAIN};
}

}  // namespace mazurka
