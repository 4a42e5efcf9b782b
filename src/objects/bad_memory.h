// A crash that the program's allocator saw coming: a block freed twice, overrun, or written after
// it was freed.
#pragma once

#include <cstdint>

#include "objects/operation.h"

namespace mazurka {

// Added to the signal in the value of a Crash.
inline constexpr int64_t kBadMemory = 0x100;

inline bool is_bad_memory(const Operation& op) {
  return op.kind == OpKind::Crash && (op.value & kBadMemory) != 0;
}

}  // namespace mazurka
