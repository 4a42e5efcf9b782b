// The model of condition variables. A wait is two operations: release and join the waiters, then go
// on when woken. Who waits is written in the threads (ThreadState::waiting_on), so a wake-up
// concerns the one thread and not the condition.
#pragma once

#include <type_traits>

#include "base/ids.h"
#include "objects/operation.h"

namespace mazurka {

struct World;
struct Outcomes;

struct Condition {
  ObjectId mutex =
      kNoObject;  // which the present waiters wait with; means nothing when there are none
};
static_assert(std::is_trivially_copyable_v<Condition>);

Outcomes condition_enabled(const World& world, ThreadId thread, const Operation& op);
Effect condition_apply(World& world, ThreadId thread, const Operation& op, Outcome outcome);

}  // namespace mazurka
