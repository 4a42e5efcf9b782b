#include "kinds/sync/futex.h"

#include <errno.h>

#include "objects/clock.h"

namespace mazurka {
namespace {

constexpr Outcome kWoken = 0;
constexpr Outcome kTimedOut = 1;

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

Effect apply_wait(World& world, ThreadId thread, const Operation& op) {
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
Effect apply_blocked(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
  ThreadState& me = world.thread(thread);
  stop_waiting(me);
  if (outcome == kTimedOut) jump_to(me, op.deadline_ns);
  if (op.flags & kTimed) see_and_show(me, world.object(op.object));
  return {.error = outcome == kTimedOut ? ETIMEDOUT : 0};
}

Effect apply_wake(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
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

}  // namespace

bool futex_word_is(const World& world, const Operation& op) {
  const Variable& word = world.object(op.second).variable;
  return word.value == word.fit(op.value);
}

Outcomes futex_enabled(const World& world, ThreadId thread, const Operation& op) {
  switch (op.kind) {
    case OpKind::FutexBlocked:
      if (world.thread(thread).woken) return Outcomes::one(kWoken);
      return op.flags & kTimed ? Outcomes::one(kTimedOut) : Outcomes::none();
    case OpKind::FutexWake:
      if (op.value != 1) return Outcomes::one();
      return has_waiters(world, op.object) ? Outcomes::waiters(op.object) : Outcomes::one(kNobody);
    default:
      return Outcomes::one();
  }
}

Effect futex_apply(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
  switch (op.kind) {
    case OpKind::FutexWait:
      return apply_wait(world, thread, op);
    case OpKind::FutexBlocked:
      return apply_blocked(world, thread, op, outcome);
    default:
      return apply_wake(world, thread, op, outcome);
  }
}

}  // namespace mazurka
