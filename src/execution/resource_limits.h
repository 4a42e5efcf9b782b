// Bounds of the resources in an execution's accesses. The reader of the shared segment holds the
// log to them, and searches keep tables by them.
#pragma once

#include <bit>
#include <cstdint>

#include "objects/accesses.h"

namespace mazurka {

inline constexpr uint32_t kMaxResourceKinds = 8;
inline constexpr uint32_t kMaxResourceParts = 8;

// At once: all that is within them, and nothing else, is without these bits.
inline constexpr uint64_t kBeyondLimits =
    ~__builtin_bit_cast(uint64_t, Resource{static_cast<Resource::Kind>(kMaxResourceKinds - 1),
                                           kMaxResourceParts - 1, UINT16_MAX, kMaxObjects - 1});
static_assert(std::has_single_bit(kMaxResourceKinds) && std::has_single_bit(kMaxResourceParts) &&
              std::has_single_bit(kMaxObjects));

constexpr bool is_within_limits(const Resource& resource) {
  return (__builtin_bit_cast(uint64_t, resource) & kBeyondLimits) == 0;
}

}  // namespace mazurka
