#include "kinds/sync/waiters.h"

#include "objects/asked.h"
#include "objects/clock.h"
#include "objects/kind_row.h"

namespace mazurka::on_waiters {

Outcomes wake_one_enabled(const World& world, ThreadId, const Operation& op) {
  return has_waiters(world, op.object) ? Outcomes::waiters(op.object) : Outcomes::one(kNobody);
}

namespace {

template <typename F>
void each_waiter(const Asked& asked, F&& f) {
  const World& world = asked.world;
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    const ThreadState& waiter = world.threads[i];
    if (waiter.waiting_on != asked.op.object || waiter.status == ThreadStatus::AtExit) continue;
    if (asked.possible || !waiter.woken) f(ThreadId(i));
  }
}

bool waits_longer(const World& world, ThreadId a, ThreadId b) {
  const uint64_t since_a = world.thread(a).waiting_since;
  const uint64_t since_b = world.thread(b).waiting_since;
  return since_a != since_b ? since_a < since_b : index(a) < index(b);
}

}  // namespace

void wakes_all(const Asked& asked, AccessList& out) {
  each_waiter(asked, [&](ThreadId waiter) { out.add(wake_resource(waiter), Mode::Add); });
}

void wakes_one(const Asked& asked, AccessList& out) {
  if (asked.possible) return wakes_all(asked, out);
  if (asked.outcome != kNobody) out.add(wake_resource(ThreadId(asked.outcome)), Mode::Add);
}

void wakes_longest_waiting(const Asked& asked, AccessList& out) {
  each_waiter(asked, [&](ThreadId waiter) {
    int64_t before = 0;
    each_waiter(asked, [&](ThreadId other) { before += waits_longer(asked.world, other, waiter); });
    if (asked.possible || before < asked.op.value) out.add(wake_resource(waiter), Mode::Add);
  });
}

namespace {

bool wakes_nobody(const World& world, const Party& x) {
  if (x.is(OpKind::CondBroadcast) || (x.is(OpKind::FutexWake) && x.op.value != 1)) {
    return !has_waiters(world, x.op.object);
  }
  const bool one = x.is(OpKind::CondSignal) || x.is(OpKind::FutexWake);
  return one && x.outcome == kNobody;
}
bool wakes_one(const Party& x) {
  const bool one = x.is(OpKind::CondSignal) || (x.is(OpKind::FutexWake) && x.op.value == 1);
  return one && x.outcome != kNobody;
}

}  // namespace

// That the one wakes the other's thread has been excluded before.
bool commute(const World& world, ObjectId, const Party& x, const Party& y) {
  const bool leaves = x.is(OpKind::CondWake) || x.is(OpKind::FutexBlocked);
  const bool destroys = x.is(OpKind::CondDestroy) || y.is(OpKind::CondDestroy);
  if (destroys) return false;
  if (leaves || (wakes_nobody(world, x) && wakes_nobody(world, y))) return true;
  if (!wakes_one(x)) return false;
  if (y.is(OpKind::CondWait) || y.is(OpKind::FutexWait)) return true;
  return wakes_one(y) && x.outcome != y.outcome;
}

}  // namespace mazurka::on_waiters
