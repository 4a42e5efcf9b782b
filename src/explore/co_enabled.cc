#include "explore/co_enabled.h"

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

}  // namespace

// A post may be followed by a wait that another post enabled, so those two stay co-enabled,
// whatever the value was: posts commute here, unlike in POPL'05.
bool may_be_co_enabled(const Transition& transition, const Operation& pending) {
  const ObjectId awaited = awaited_mutex(pending);
  if (awaited != kNoObject && awaited == released_mutex(transition)) return false;
  const OpKind kind = transition.op.kind;
  switch (pending.kind) {
    case OpKind::Join:
      return !blocks(pending) || pending.target != transition.choice.thread;
    case OpKind::WaitChild:
      return !blocks(pending) || pending.target != transition.process;
    case OpKind::CondReacquire:  // woken by it
      return kind != OpKind::CondSignal && kind != OpKind::CondBroadcast;
    case OpKind::FutexBlocked:
      return !blocks(pending) || kind != OpKind::FutexWake;
    case OpKind::BarrierLeave:
      return kind != OpKind::BarrierArrive;
    case OpKind::OnceBegin:
      return kind != OpKind::OnceEnd || transition.op.object != pending.object;
    case OpKind::ReadLock:
    case OpKind::WriteLock:
      return !waits_for_holder(pending, transition);
    default:
      return true;
  }
}

}  // namespace mazurka
