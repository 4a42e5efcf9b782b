// The model of pthread_once, call_once and the guards of static locals.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "objects/op_functions.h"
#include "objects/operation.h"

namespace mazurka {

struct Once {
  enum class State : uint8_t { Fresh, Running, Done };
  State state = State::Fresh;
  uint8_t padding = 0;
  ThreadId runner = kNoThread;  // while Running
};
static_assert(std::is_trivially_copyable_v<Once>);

namespace on_once {

EnabledFunction begin_enabled;
ApplyFunction begin, end;
AccessFunction begin_accesses, end_accesses;
StateFunction state;

}  // namespace on_once

}  // namespace mazurka
