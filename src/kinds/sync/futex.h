// The model of futexes, as the C++ standard library uses them. A futex has no state but its
// waiters, and these are written in the threads.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "objects/operation.h"

namespace mazurka {

struct World;
struct Outcomes;

struct Futex {
  uint32_t padding = 0;
};
static_assert(std::is_trivially_copyable_v<Futex>);

// Whether the word of a FutexWait has the value that it expects. Requires that the word is a
// variable (`second`).
bool futex_word_is(const World& world, const Operation& op);

Outcomes futex_enabled(const World& world, ThreadId thread, const Operation& op);
Effect futex_apply(World& world, ThreadId thread, const Operation& op, Outcome outcome);

}  // namespace mazurka
