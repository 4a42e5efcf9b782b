// The model of futexes, as the C++ standard library uses them. A futex has no state but its
// waiters, and these are written in the threads.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "objects/op_functions.h"
#include "objects/operation.h"

namespace mazurka {

struct Futex {
  uint32_t padding = 0;
};
static_assert(std::is_trivially_copyable_v<Futex>);

// Whether the word of a FutexWait has the value that it expects. Requires that the word is a
// variable (`second`).
bool futex_word_is(const World& world, const Operation& op);

namespace on_futex {

EnabledFunction blocked_enabled, wake_enabled;
ApplyFunction wait, blocked, wake_up;
AccessFunction wait_accesses, blocked_accesses, wake_accesses;
MentionFunction wait_mentions, blocked_mentions, wake_mentions;
StateFunction state;

}  // namespace on_futex

}  // namespace mazurka
