// Bounds of the resources in an execution's accesses. The reader of the shared segment holds the log
// to them, and searches keep tables by them.
#pragma once

#include <cstdint>

#include "objects/accesses.h"

namespace mazurka {

inline constexpr uint32_t kMaxResourceKinds = 8;
inline constexpr uint32_t kMaxResourceParts = 8;

constexpr bool is_within_limits(const Resource& resource) {
  return static_cast<uint32_t>(resource.kind) < kMaxResourceKinds &&
         resource.part < kMaxResourceParts && resource.index < kMaxObjects;
}

}  // namespace mazurka
