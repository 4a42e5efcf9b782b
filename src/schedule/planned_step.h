// One step of a plan's prefix.
#pragma once

#include "base/ids.h"
#include "objects/operation.h"

namespace mazurka {

// Steps of a plan's prefix, and of all executions of a batch together.
inline constexpr uint32_t kMaxSteps = 1u << 20;

// `kind` and `object` are what the step did before: if it does something else now, the program is
// not deterministic. kind None, kNoObject: nothing is known.
struct PlannedStep {
  Choice choice;
  OpKind kind = OpKind::None;
  uint8_t padding[3] = {};
  ObjectId object = kNoObject;
};
static_assert(sizeof(PlannedStep) == 12);

}  // namespace mazurka
