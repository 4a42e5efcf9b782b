#include "kinds/sync/futex.h"

#include <errno.h>

#include "kinds/sync/waiters.h"
#include "objects/access_mask.h"
#include "objects/asked.h"
#include "objects/clock.h"
#include "objects/op_row.h"
#include "objects/state_sink.h"

namespace mazurka {

bool futex_word_is(const World& world, const Operation& op) {
  const Variable& word = world.object(op.second).variable;
  return word.value == word.fit(op.value);
}

namespace on_futex {

ThreadId longest_waiting(const World& world, ObjectId futex) {
  ThreadId longest = kNoThread;
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    if (!world.waits_on(ThreadId(i), futex)) continue;
    if (longest == kNoThread ||
        world.threads[i].waiting_since < world.thread(longest).waiting_since) {
      longest = ThreadId(i);
    }
  }
  return longest;
}

Effect wait(World& world, ThreadId thread, const Operation& op, Outcome) {
  ThreadState& me = world.thread(thread);
  if (op.second != kNoObject) {
    see(me, world.object(op.second));
    if (!futex_word_is(world, op)) return {.error = EAGAIN};
  }
  see_and_show(me, world.object(op.object));
  start_waiting(me, op.object);
  return {};
}

// Only a wait that may give up touches the futex: giving up takes it from the waiters.
Effect blocked(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
  ThreadState& me = world.thread(thread);
  stop_waiting(me);
  if (outcome == kTimedOut) jump_to(me, op.deadline_ns);
  if (op.flags & kTimed) see_and_show(me, world.object(op.object));
  return {.error = outcome == kTimedOut ? ETIMEDOUT : 0};
}

Effect wake_up(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
  see_and_show(world.thread(thread), world.object(op.object));
  if (op.value == 1) {
    if (outcome == kNobody) return {};
    wake(world, thread, ThreadId(outcome));
    return {.thread = ThreadId(outcome), .value = 1};
  }
  Effect effect;
  while (effect.value < op.value) {
    const ThreadId waiter = longest_waiting(world, op.object);
    if (waiter == kNoThread) break;
    wake(world, thread, waiter);
    if (effect.value++ == 0) effect.thread = waiter;
  }
  return effect;
}

Outcomes blocked_enabled(const World& world, ThreadId thread, const Operation& op) {
  if (world.thread(thread).woken) return Outcomes::one(kWoken);
  return op.flags & kTimed ? Outcomes::one(kTimedOut) : Outcomes::none();
}

Outcomes wake_enabled(const World& world, ThreadId thread, const Operation& op) {
  return op.value == 1 ? on_waiters::wake_one_enabled(world, thread, op) : Outcomes::one();
}

// --- accesses

void wait_accesses(const Asked& asked, AccessList& out) {
  const Operation& op = asked.op;
  if (op.second != kNoObject) {
    out.add(object_resource(op.second), Mode::Read);
    if (!asked.possible && !futex_word_is(asked.world, op)) return;
  }
  out.add(object_resource(op.object), Mode::Write);
}

// Only a wait that may give up comes back to the futex.
void blocked_accesses(const Asked& asked, AccessList& out) {
  out.add(wake_resource(asked.thread), Mode::Read);
  if (asked.op.flags & kTimed) out.add(object_resource(asked.op.object), Mode::Write);
}

void wake_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), Mode::Write);
  if (asked.op.value == 1) {
    on_waiters::wakes_one(asked, out);
  } else {
    on_waiters::wakes_longest_waiting(asked, out);
  }
}

// --- what is named

bool wait_mentions(const Mentioned& mentioned, AccessMask& mask) {
  mask.add(object_resource(mentioned.op.object), Mode::Write);
  if (mentioned.op.second != kNoObject) mask.add(object_resource(mentioned.op.second), Mode::Read);
  return true;
}

bool blocked_mentions(const Mentioned& mentioned, AccessMask& mask) {
  mask.add(object_resource(mentioned.op.object), Mode::Write);
  mask.add(wake_resource(mentioned.thread), Mode::Read);
  return true;
}

bool wake_mentions(const Mentioned& mentioned, AccessMask& mask) {
  mask.add(object_resource(mentioned.op.object), Mode::Write);
  mask.changes |= kAllWakes;
  return true;
}

// Who waits, and for how long, is the threads' own.
void state(const World&, ObjectId, StateSink&) {}

}  // namespace on_futex

}  // namespace mazurka
