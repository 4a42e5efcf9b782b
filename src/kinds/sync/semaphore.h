// The model of POSIX semaphores. One semaphore of a System V set has the same state; its operations
// are in sem_set.h.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "objects/op_functions.h"
#include "objects/operation.h"

namespace mazurka {

inline constexpr int32_t kMaxSemValue = 0x7fffffff;  // SEM_VALUE_MAX

struct Semaphore {
  int32_t value = 0;
};
static_assert(std::is_trivially_copyable_v<Semaphore>);

namespace on_semaphore {

EnabledFunction wait_enabled;
ApplyFunction wait, post, get_value, destroy;
AccessFunction wait_accesses, post_accesses, get_value_accesses, destroy_accesses;
CommuteFunction commute;
StateFunction state;

}  // namespace on_semaphore

}  // namespace mazurka
