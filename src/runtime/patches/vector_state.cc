#include "runtime/patches/vector_state.h"

#include <cpuid.h>

#include <cstring>

uint64_t mazurka_vector_size;
uint32_t mazurka_vector_mask;
uint8_t mazurka_vectors_are_compact;

namespace mazurka {
namespace {

// x87, SSE, AVX and AVX-512. Tiles and protection keys are not ours to touch.
constexpr uint32_t kOurs = 0xe7;
constexpr uint32_t kLegacyBytes = 512;
constexpr uint32_t kHeaderBytes = 64;
constexpr uint32_t kFloatsBegin = 32;
constexpr uint32_t kVectorsBegin = 160;
constexpr uint32_t kVectorsEnd = kVectorsBegin + 16 * 16;

// A part of the saved registers that a program keeps data in.
struct Part {
  uint32_t number;
  uint32_t begin;
  uint32_t size;
};
constexpr uint32_t kMaxParts = 8;
Part parts[kMaxParts];
uint32_t part_count;

void list_parts() {
  parts[part_count++] = {0, kFloatsBegin, kVectorsBegin - kFloatsBegin};
  parts[part_count++] = {1, kVectorsBegin, kVectorsEnd - kVectorsBegin};
  uint32_t end = kLegacyBytes + kHeaderBytes;
  for (uint32_t number = 2; number < 8; ++number) {
    if ((mazurka_vector_mask >> number & 1) == 0) continue;
    uint32_t size = 0, usual_begin = 0, c = 0, d = 0;
    __cpuid_count(0xd, number, size, usual_begin, c, d);
    const bool is_aligned = (c & 2) != 0;
    if (is_aligned) end = (end + 63) / 64 * 64;
    parts[part_count++] = {number, mazurka_vectors_are_compact ? end : usual_begin, size};
    end += size;
  }
}

// Words that are zero do not count. Several at a time: each step waits for the step before.
uint64_t hash_of_part(const uint8_t* from, uint32_t size, uint64_t seed) {
  constexpr uint64_t kFactor = 0x9e37'79b9'7f4a'7c15;
  uint64_t lanes[4] = {};
  for (uint32_t at = 0; at < size; at += sizeof lanes) {
    uint64_t words[4] = {};
    memcpy(words, from + at, size - at < sizeof words ? size - at : sizeof words);
    for (uint64_t i = 0; i < 4; ++i) {
      const uint64_t mixed = (words[i] ^ (words[i] >> 31)) * (kFactor + 2 * (at + i));
      lanes[i] += mixed ^ (mixed >> 29);
    }
  }
  return (lanes[0] + 3 * lanes[1] + 5 * lanes[2] + 7 * lanes[3]) * (2 * seed + kFactor);
}

uint32_t enabled_by_system() {
  uint32_t low = 0;
  uint32_t high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

}  // namespace

// Where the processor is a virtual one, each question to it takes some 30 us.
bool find_vectors() {
  if (mazurka_vector_mask != 0) return true;
  uint32_t a = 0, b = 0, c = 0, d = 0;
  constexpr uint32_t kOsxsave = 1u << 27;
  __cpuid(1, a, b, c, d);
  if ((c & kOsxsave) == 0) return false;
  __cpuid_count(0xd, 0, a, b, c, d);
  mazurka_vector_size = uint64_t{(b + 63) / 64} * 64;  // of all that is enabled: enough for ours
  mazurka_vector_mask = enabled_by_system() & kOurs;
  return mazurka_vector_mask != 0;
}

bool prepare_vectors() {
  if (part_count != 0) return true;
  if (!find_vectors()) return false;
  uint32_t a = 0, b = 0, c = 0, d = 0;
  __cpuid_count(0xd, 1, a, b, c, d);
  mazurka_vectors_are_compact = (a >> 1) & 1;
  list_parts();
  return true;
}

// Whether a part counts as being in use may depend on chance; what is in it does not. So a part
// that is not is the same as one that is full of zeros.
uint64_t hash_of_vectors(const uint8_t* saved) {
  uint64_t in_use = 0;
  memcpy(&in_use, saved + kLegacyBytes, sizeof in_use);
  uint64_t hash = 0;
  for (uint32_t i = 0; i < part_count; ++i) {
    if ((in_use >> parts[i].number & 1) != 0)
      hash ^= hash_of_part(saved + parts[i].begin, parts[i].size, i);
  }
  return hash;
}

}  // namespace mazurka
