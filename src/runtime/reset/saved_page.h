// Giving a page its old bytes back. Most of what is reset are stacks, thread-local memory and heaps
// in their first page, and most of these is zeroes: so it is known of each part of a saved page
// whether it is, and the bytes of those need not be read. Parts that are zeroes still are not
// written.
//
// All of it is inlined, so that a caller that is compiled for wider vectors has them here, too.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazurka {

inline constexpr size_t kPage = 4096;
inline constexpr size_t kPart = 256;
using PartsInUse = uint16_t;  // a bit for each
static_assert(kPage / kPart == sizeof(PartsInUse) * 8);

#define MAZURKA_INLINE inline __attribute__((always_inline))

using Vector = long long __attribute__((vector_size(32), may_alias));
inline constexpr size_t kStride = 4;  // vectors, one after the other: a plain loop might become a
                                      // call of the program's own memcpy or memset
inline constexpr size_t kVectors = kPart / sizeof(Vector);

MAZURKA_INLINE bool is_zero_part(const char* part) {
  const auto* at = reinterpret_cast<const Vector*>(part);
  Vector any = {};
#pragma GCC unroll 4
  for (size_t i = 0; i < kVectors; i += kStride)
    any |= (at[i] | at[i + 1]) | (at[i + 2] | at[i + 3]);
  return (any[0] | any[1] | any[2] | any[3]) == 0;
}
MAZURKA_INLINE void clear_part(char* part) {
  auto* to = reinterpret_cast<Vector*>(part);
#pragma GCC unroll 4
  for (size_t i = 0; i < kVectors; i += kStride) {
    to[i] = Vector{};
    to[i + 1] = Vector{};
    to[i + 2] = Vector{};
    to[i + 3] = Vector{};
  }
}
MAZURKA_INLINE void copy_part(char* part, const char* saved) {
  auto* to = reinterpret_cast<Vector*>(part);
  const auto* from = reinterpret_cast<const Vector*>(saved);
#pragma GCC unroll 4
  for (size_t i = 0; i < kVectors; i += kStride) {
    const Vector a = from[i];
    const Vector b = from[i + 1];
    const Vector c = from[i + 2];
    const Vector d = from[i + 3];
    to[i] = a;
    to[i + 1] = b;
    to[i + 2] = c;
    to[i + 3] = d;
  }
}

// A bit for each part of the page that is not all zeroes.
inline PartsInUse parts_in_use(const char* page) {
  unsigned parts = 0;
  for (size_t i = 0; i < kPage / kPart; ++i) {
    if (!is_zero_part(page + i * kPart)) parts |= 1u << i;
  }
  return static_cast<PartsInUse>(parts);
}

// `parts` are those of `saved` that are in use; if there are none, it is not looked at.
MAZURKA_INLINE void restore_page(char* page, const char* saved, PartsInUse parts) {
  for (size_t i = 0; i < kPage / kPart; ++i) {
    char* part = page + i * kPart;
    if ((parts >> i & 1) != 0) {
      copy_part(part, saved + i * kPart);
    } else if (!is_zero_part(part)) {
      clear_part(part);
    }
  }
}

}  // namespace mazurka
