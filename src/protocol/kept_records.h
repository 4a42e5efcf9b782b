// What the shared segment keeps for a whole search beside names: texts, modules of the program,
// calls without a model, words of memory that several threads use, and what the user has annotated.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "execution/memory_places.h"
#include "protocol/layout.h"

namespace mazurka {

inline constexpr uint32_t kMaxText = 1u << 20;
inline constexpr uint32_t kMaxKeptText = 1u << 17;
inline constexpr uint32_t kMaxModules = 256;
inline constexpr uint32_t kMaxUnmodelled = 64;

struct Module {
  uint64_t base;  // load bias
  uint64_t start;
  uint64_t end;
  uint32_t path;  // kept text
  ProcessId process;
  uint16_t padding;
};
static_assert(is_laid_out<Module, 32>);

// A call that no model covers.
struct Unmodelled {
  uint64_t pc;
  uint32_t text;  // its name, kept text
  uint32_t count;
  uint8_t costs_complete;
  uint8_t padding[7];
};
static_assert(is_laid_out<Unmodelled, 24>);

inline constexpr uint32_t kMaxKnownWords = 1u << 14;
inline constexpr uint32_t kKnownWordTableSize = kMaxKnownWords * 4;

struct KnownWords {
  uint64_t version;  // of what the tool knows; 0: nothing yet
  uint32_t count;
  uint32_t padding;
  MemoryWord words[kMaxKnownWords];
  uint32_t table[kKnownWordTableSize];  // open addressing: place in `words` + 1
};
static_assert(is_laid_out<KnownWords, 16 + 16 * kMaxKnownWords + 4 * kKnownWordTableSize>);

}  // namespace mazurka
