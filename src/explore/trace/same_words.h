// Whether two values are the same to their last byte, padding and all: where only that differs,
// they count as different.
//
// Words are compared where they are. By way of a copy, the processor would wait for the copy's
// parts before it reads across them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/check.h"

namespace mazurka {

// The bits in which they differ, `at` bytes from their beginning.
template <typename T>
T difference(const void* a, const void* b, size_t at) {
  T words[2];
  memcpy(&words[0], static_cast<const char*>(a) + at, sizeof words[0]);
  memcpy(&words[1], static_cast<const char*>(b) + at, sizeof words[1]);
  return words[0] ^ words[1];
}

// Requires that the size is a multiple of the word's.
template <typename Word>
bool same_words(const void* a, const void* b, size_t bytes) {
  MAZURKA_DEBUG_CHECK(bytes % sizeof(Word) == 0);
  using Words = uint64_t __attribute__((vector_size(16)));
  Words different = {};
  size_t at = 0;
  for (; at + sizeof(Words) <= bytes; at += sizeof(Words)) different |= difference<Words>(a, b, at);
  uint64_t rest = different[0] | different[1];
  for (; at < bytes; at += sizeof(Word)) rest |= difference<Word>(a, b, at);
  return rest == 0;
}

}  // namespace mazurka
