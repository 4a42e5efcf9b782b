#include "explore/classic/co_enabled.h"

#include <algorithm>

#include "objects/op_table.h"

namespace mazurka {
namespace {

bool blocks(const Operation& op) { return (op.flags & (kTry | kTimed)) == 0; }

// The mutex that it waits for; kNoObject if none.
ObjectId awaited_mutex(const Operation& op, Awaits awaits) {
  if (awaits == Awaits::Mutex && blocks(op)) return op.object;
  return awaits == Awaits::WakeAndMutex ? op.second : kNoObject;
}

// The mutex whose owner did it, as only the owner can.
ObjectId released_mutex(const Transition& transition, Releases releases) {
  if (transition.effect.error != 0 || transition.effect.misuse != Misuse::None) return kNoObject;
  if (releases == Releases::Mutex) return transition.op.object;
  return releases == Releases::SecondMutex ? transition.op.second : kNoObject;
}

// A writer waits for all holders, a reader only for a writer.
bool waits_for_holder(const Operation& pending, Awaits awaits, const Transition& unlock) {
  if (unlock.effect.misuse != Misuse::None || unlock.op.object != pending.object) return false;
  const bool wrote = unlock.effect.value == 1;
  return blocks(pending) && (awaits == Awaits::Holders || wrote);
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
  const Awaits awaits = row_of(pending.kind).awaits;
  const Releases releases = row_of(transition.op.kind).releases;
  const ObjectId awaited = awaited_mutex(pending, awaits);
  if (awaited != kNoObject && awaited == released_mutex(transition, releases)) return false;
  switch (awaits) {
    case Awaits::Anything:
    case Awaits::Mutex:
      return true;
    case Awaits::End:
      return !blocks(pending) || pending.target != transition.choice.thread;
    case Awaits::ChildEnd:
      return !blocks(pending) || pending.target != transition.process;
    case Awaits::WakeAndMutex:
    case Awaits::Wake:
      return !blocks(pending) || !woke(transition, thread);
    case Awaits::Once:
      return releases != Releases::Once || transition.op.object != pending.object;
    case Awaits::Writer:
    case Awaits::Holders:
      return releases != Releases::RwLock || !waits_for_holder(pending, awaits, transition);
  }
  return true;
}

}  // namespace mazurka
