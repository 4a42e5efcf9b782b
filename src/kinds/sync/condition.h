// The model of condition variables. A wait is two operations: release and join the waiters, then go
// on when woken. Who waits is written in the threads (ThreadState::waiting_on), so a wake-up
// concerns the one thread and not the condition.
#pragma once

#include <type_traits>

#include "base/ids.h"
#include "objects/op_functions.h"
#include "objects/operation.h"

namespace mazurka {

struct Condition {
  ObjectId mutex =
      kNoObject;  // which the present waiters wait with; means nothing when there are none
};
static_assert(std::is_trivially_copyable_v<Condition>);

namespace on_condition {

EnabledFunction reacquire_enabled, wake_enabled;
ApplyFunction wait, reacquire, wake_up, signal, broadcast, destroy;
AccessFunction wait_accesses, reacquire_accesses, wake_accesses, signal_accesses,
    broadcast_accesses, destroy_accesses;
MisuseFunction wait_misuse, destroy_misuse;
MisuseAccessFunction wait_misuse_accesses, reacquire_misuse_accesses;
MentionFunction wait_mentions, reacquire_mentions, wake_mentions, signal_mentions;
StateFunction state;

}  // namespace on_condition

}  // namespace mazurka
