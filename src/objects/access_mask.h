// A set of accesses in two words, so that most pairs of operations are seen to be independent
// without looking at them. Resources share bits: a mask may say conflict where there is none, never
// the other way.
#pragma once

#include <cstddef>
#include <cstdint>

#include "objects/accesses.h"

namespace mazurka {

struct AccessMask {
  uint64_t changes = 0;  // resources that are written or added to
  uint64_t looks = 0;    // that are written or read

  static constexpr AccessMask everything() { return {UINT64_MAX, UINT64_MAX}; }
  static constexpr AccessMask of(const Access* accesses, size_t count) {
    AccessMask mask;
    for (size_t i = 0; i < count; ++i) mask.add(accesses[i].resource, accesses[i].mode);
    return mask;
  }

  static constexpr uint64_t bit_of(const Resource& resource);

  constexpr void add(const Resource& resource, Mode mode) {
    if (mode != Mode::Read) changes |= bit_of(resource);
    if (mode != Mode::Add) looks |= bit_of(resource);
  }

  constexpr void add(const AccessMask& other) {
    changes |= other.changes;
    looks |= other.looks;
  }

  constexpr bool may_conflict(const AccessMask& other) const {
    return ((changes & other.looks) | (looks & other.changes)) != 0;
  }
};

// Kinds have bits of their own, because most accesses of most operations are of the same few modes:
// all add to their threads' lives, and read their processes'.
constexpr uint64_t AccessMask::bit_of(const Resource& resource) {
  const uint32_t i = resource.index;
  switch (resource.kind) {
    case Resource::Kind::Moves:
      return 1;
    case Resource::Kind::Process:
      return uint64_t{2} << (i + resource.part) % 3;
    case Resource::Kind::Wake:
      return uint64_t{1} << (4 + i % 8);
    case Resource::Kind::Thread:
      return uint64_t{1} << (12 + i % 20);
    default:
      return uint64_t{1} << (32 + (i + 16u * resource.part) % 32);
  }
}

// Of all waiters' wake-ups.
inline constexpr uint64_t kAllWakes = uint64_t{0xff} << 4;

}  // namespace mazurka
