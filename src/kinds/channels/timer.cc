#include "kinds/channels/timer.h"

#include <errno.h>

#include "objects/clock.h"
#include "objects/state_sink.h"

namespace mazurka {

int64_t Timer::take_expirations(int64_t now_ns) {
  if (interval_ns == 0) {
    expires_ns = 0;
    return 1;
  }
  const int64_t count = 1 + (now_ns - expires_ns) / interval_ns;
  expires_ns += count * interval_ns;
  return count;
}

namespace on_timer {
namespace {

bool is_held(const World& world, ThreadId thread, const Operation& op) {
  return world.object(op.second).description.is_held_by(world.thread(thread).process);
}

bool must_not_wait(const World& world, const Operation& op) {
  return (op.flags & kTry) != 0 || world.object(op.second).description.is_nonblocking;
}

}  // namespace

Outcomes read_enabled(const World& world, ThreadId thread, const Operation& op) {
  if (!is_held(world, thread, op)) return Outcomes::one();
  const Timer& timer = world.object(op.object).timer;
  if (timer.has_expired(world.thread(thread).clock_ns)) return Outcomes::one(kExpired);
  if (!must_not_wait(world, op)) return timer.is_set() ? Outcomes::one(kExpired) : Outcomes::none();
  return timer.is_set() ? Outcomes::range(2) : Outcomes::one(kNotYet);
}

Effect read(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
  if (!is_held(world, thread, op)) return {.error = EBADF};
  ThreadState& me = world.thread(thread);
  Object& object = world.object(op.object);
  see(me, object);
  if (outcome == kNotYet) return {.error = EAGAIN};
  jump_to(me, object.timer.expires_ns);
  const int64_t count = object.timer.take_expirations(me.clock_ns);
  show(me, object);
  return {.value = count};
}

Effect set(World& world, ThreadId thread, const Operation& op, Outcome) {
  if (!is_held(world, thread, op)) return {.error = EBADF};
  Object& object = world.object(op.object);
  see_and_show(world.thread(thread), object);
  object.timer.expires_ns = op.value;
  object.timer.interval_ns = op.desired;
  return {};
}

Effect get(World& world, ThreadId thread, const Operation& op, Outcome) {
  if (!is_held(world, thread, op)) return {.error = EBADF};
  see(world.thread(thread), world.object(op.object));
  return {.value = world.object(op.object).timer.expires_ns};
}

void state(const World& world, ObjectId id, StateSink& sink) {
  const Timer& timer = world.object(id).timer;
  sink.add({timer.expires_ns, timer.interval_ns});
}

}  // namespace on_timer

}  // namespace mazurka
