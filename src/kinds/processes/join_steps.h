// Joins, which programs do much (objects/frequent.h): here, so that the compiler can put them in
// place. The rest of the model is in process.cc.
#pragma once

#include <errno.h>

#include "kinds/processes/process.h"
#include "objects/asked.h"
#include "objects/clock.h"

namespace mazurka::on_process {

// What a join returns without waiting, if it does; kWaits if it must wait for its target, kJoins if
// it need not.
inline constexpr int kWaits = -1;
inline constexpr int kJoins = 0;

inline Effect try_join(const World& world, ThreadId thread, const Operation& op) {
  if (index(op.target) >= world.thread_limit) return {.misuse = Misuse::BadThread};
  const ThreadState& target = world.thread(op.target);
  if (target.status == ThreadStatus::Absent) return {.misuse = Misuse::BadThread};
  if (target.joined || target.detached) return {.misuse = Misuse::JoinTwice};
  if (op.target == thread) return {.error = EDEADLK};
  if (target.status == ThreadStatus::AtExit) return {.error = kJoins};
  if (op.flags & kTry) return {.error = EBUSY};
  return {.error = op.flags & kTimed ? ETIMEDOUT : kWaits};
}

inline Effect join(World& world, ThreadId thread, const Operation& op, Outcome) {
  ThreadState& me = world.thread(thread);
  Effect effect = try_join(world, thread, op);
  if (effect.misuse != Misuse::None) return effect;
  if (effect.error == ETIMEDOUT) jump_to(me, op.deadline_ns);
  if (effect.error != kJoins) return effect;
  see(me, world.thread(op.target).clock_ns);
  world.thread(op.target).joined = true;
  effect.thread = op.target;
  return effect;
}

inline Outcomes join_enabled(const World& world, ThreadId thread, const Operation& op) {
  return try_join(world, thread, op).error == kWaits ? Outcomes::none() : Outcomes::one();
}

inline Misuse join_misuse(const World& world, ThreadId thread, const Operation& op) {
  return try_join(world, thread, op).misuse;
}

inline void join_accesses(const Asked& asked, AccessList& out) {
  const ThreadState& target = asked.world.thread(asked.op.target);
  const bool joins = asked.possible || target.status == ThreadStatus::AtExit;
  // Joining is a write: it may be done once.
  const Mode mode = joins ? Mode::Write : Mode::Read;
  if (asked.op.target == asked.thread) return out.add(thread_resource(asked.op.target), mode);
  out.add_new(thread_resource(asked.op.target), mode);  // a misuse would not come here
}

}  // namespace mazurka::on_process
