// The model of pthread_once, call_once and the guards of static locals.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "objects/operation.h"

namespace mazurka {

struct World;
struct Outcomes;

struct Once {
  enum class State : uint8_t { Fresh, Running, Done };
  State state = State::Fresh;
  uint8_t padding = 0;
  ThreadId runner = kNoThread;  // while Running
};
static_assert(std::is_trivially_copyable_v<Once>);

Outcomes once_enabled(const World& world, ThreadId thread, const Operation& op);
Effect once_apply(World& world, ThreadId thread, const Operation& op);

}  // namespace mazurka
