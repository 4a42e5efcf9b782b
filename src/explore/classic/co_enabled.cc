#include "explore/classic/co_enabled.h"

#include <algorithm>

namespace mazurka {
namespace {

bool blocks(const Operation& op) { return (op.flags & (kTry | kTimed)) == 0; }

// The mutex that it waits for; kNoObject if none.
ObjectId awaited_mutex(const Operation& op) {
  if (op.kind == OpKind::MutexLock && blocks(op)) return op.object;
  return op.kind == OpKind::CondReacquire ? op.second : kNoObject;
}

// The mutex whose owner did it, as only the owner can.
ObjectId released_mutex(const Transition& transition) {
  if (transition.effect.error != 0 || transition.effect.misuse != Misuse::None) return kNoObject;
  if (transition.op.kind == OpKind::MutexUnlock) return transition.op.object;
  return transition.op.kind == OpKind::CondWait ? transition.op.second : kNoObject;
}

// A writer waits for all holders, a reader only for a writer.
bool waits_for_holder(const Operation& pending, const Transition& unlock) {
  if (unlock.op.kind != OpKind::RwUnlock || unlock.effect.misuse != Misuse::None) return false;
  if (unlock.op.object != pending.object || !blocks(pending)) return false;
  const bool wrote = unlock.effect.value == 1;
  return pending.kind == OpKind::WriteLock || (pending.kind == OpKind::ReadLock && wrote);
}

// A signal that woke another one, or nobody, has nothing to do with this wait; but what the wait
// comes to may end the process, and race with it all the same.
bool woke(const Transition& transition, ThreadId thread) {
  return std::any_of(transition.accesses.begin(), transition.accesses.end(), [&](const Access& a) {
    return a.resource == wake_resource(thread) && a.mode == Mode::Add;
  });
}

}  // namespace

// A post may be followed by a wait that another post enabled, so those two are co-enabled here,
// whatever the value was: posts commute, unlike in POPL'05. enabled_without.h looks closer.
bool may_be_co_enabled(const Transition& transition, ThreadId thread, const Operation& pending) {
  const ObjectId awaited = awaited_mutex(pending);
  if (awaited != kNoObject && awaited == released_mutex(transition)) return false;
  switch (pending.kind) {
    case OpKind::Join:
      return !blocks(pending) || pending.target != transition.choice.thread;
    case OpKind::WaitChild:
      return !blocks(pending) || pending.target != transition.process;
    case OpKind::CondReacquire:
    case OpKind::BarrierLeave:
      return !woke(transition, thread);
    case OpKind::FutexBlocked:
      return !blocks(pending) || !woke(transition, thread);
    case OpKind::OnceBegin:
      return transition.op.kind != OpKind::OnceEnd || transition.op.object != pending.object;
    case OpKind::ReadLock:
    case OpKind::WriteLock:
      return !waits_for_holder(pending, transition);
    default:
      return true;
  }
}

}  // namespace mazurka
