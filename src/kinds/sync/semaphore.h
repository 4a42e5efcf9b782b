// The model of POSIX semaphores. One semaphore of a System V set has the same state; its operations
// are in sem_set.h.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "objects/operation.h"

namespace mazurka {

struct World;
struct Outcomes;

inline constexpr int32_t kMaxSemValue = 0x7fffffff;  // SEM_VALUE_MAX

struct Semaphore {
  int32_t value = 0;
};
static_assert(std::is_trivially_copyable_v<Semaphore>);

Outcomes semaphore_enabled(const World& world, ThreadId thread, const Operation& op);
Effect semaphore_apply(World& world, ThreadId thread, const Operation& op);

}  // namespace mazurka
