// What a heap block looks like: 16 bytes of header, the user's bytes, 8 guard bytes right behind
// them. The header is sealed with a hash of itself and its address, so a header that was
// overwritten, and an address that never was a block, do not pass for one. Used by the allocator
// only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/check.h"

namespace mazurka {

// Heaps lie where we say, so their addresses begin as numbers.
template <typename T>
T* pointer_to(uintptr_t address) {
  return reinterpret_cast<T*>(address);  // NOLINT(performance-no-int-to-ptr): the one place
}

// --- sizes. A block's *stride* is all it takes: header, user's bytes, guard, rounding.

inline constexpr uint64_t kHeaderBytes = 16;
inline constexpr uint64_t kGuardBytes = 8;
inline constexpr uint64_t kMaxRequest = uint64_t{1} << 39;

// Classes are strides: multiples of 16 up to 512, then four to each doubling.
inline constexpr uint64_t kMaxLinearStride = 512;
inline constexpr uint32_t kLinearClasses = kMaxLinearStride / 16 + 1;
inline constexpr uint32_t kLog2OfMaxLinear = 9;

constexpr uint32_t class_of(uint64_t stride) {
  if (stride <= kMaxLinearStride) return static_cast<uint32_t>((stride + 15) / 16);
  const uint64_t last = stride - 1;
  const uint32_t log2 = 63 - static_cast<uint32_t>(__builtin_clzll(last));
  const uint32_t quarter = static_cast<uint32_t>(last >> (log2 - 2)) & 3;
  return kLinearClasses + (log2 - kLog2OfMaxLinear) * 4 + quarter;
}

constexpr uint64_t stride_of(uint32_t size_class) {
  if (size_class < kLinearClasses) return uint64_t{size_class} * 16;
  const uint32_t step = size_class - kLinearClasses;
  return uint64_t{4 + step % 4 + 1} << (kLog2OfMaxLinear + step / 4 - 2);
}

// Small blocks share chunks. Larger ones have a run of units for themselves.
inline constexpr uint64_t kMaxSmallStride = uint64_t{16} << 10;
inline constexpr uint32_t kSmallClasses = class_of(kMaxSmallStride) + 1;
inline constexpr uint32_t kRunClasses = class_of(kMaxRequest * 2) + 1 - kSmallClasses;
static_assert(stride_of(kSmallClasses - 1) == kMaxSmallStride);
static_assert(kSmallClasses + kRunClasses <= 256, "a header has eight bits for the class");

constexpr uint64_t stride_for(uint64_t size) { return size + kHeaderBytes + kGuardBytes; }

// --- the block

struct Block {
  uint64_t word;  // size 40 bits, class 8, slot 14, two flags
  uint32_t count;
  uint32_t seal;
  // These two are the user's bytes, and ours only while the block is on a free list. The check is
  // there because a program that writes to freed memory must not lead us astray.
  Block* next;
  uint64_t next_check;
};
static_assert(sizeof(Block) == 32);

// Set in the header of a block that was allocated with a greater alignment: the user's bytes begin
// `skew` bytes later than usual.
inline constexpr uint64_t kAlignedFlag = uint64_t{1} << 62;
// Set in the second header, which such a block has right before the user's bytes; its size is the
// skew.
inline constexpr uint64_t kSecondHeaderFlag = uint64_t{1} << 63;

constexpr uint64_t make_word(uint64_t size, uint32_t size_class, uint32_t slot, uint64_t flags) {
  return size | uint64_t{size_class} << 40 | uint64_t{slot} << 48 | flags;
}
constexpr uint64_t size_in(uint64_t word) { return word & ((uint64_t{1} << 40) - 1); }
constexpr uint32_t class_in(uint64_t word) { return static_cast<uint32_t>(word >> 40) & 0xff; }
constexpr uint32_t slot_in(uint64_t word) { return static_cast<uint32_t>(word >> 48) & 0x3fff; }

inline Block* block_before(const void* data) {
  return pointer_to<Block>(reinterpret_cast<uintptr_t>(data) - kHeaderBytes);
}
inline char* data_of(Block* block) { return reinterpret_cast<char*>(block) + kHeaderBytes; }

inline constexpr uint32_t kAllocatedSeal = 0x616c6c6f;
inline constexpr uint32_t kFreedSeal = 0x66726565;

inline uint32_t seal_for(const Block* block, uint32_t kind) {
  uint64_t mixed =
      reinterpret_cast<uintptr_t>(block) ^ block->word ^ uint64_t { block->count } << 32;
  mixed *= 0x9e37'79b9'7f4a'7c15;
  return static_cast<uint32_t>(mixed >> 32) ^ kind;
}
inline bool has_seal(const Block* block, uint32_t kind) {
  return block->seal == seal_for(block, kind);
}
inline void set_seal(Block* block, uint32_t kind) { block->seal = seal_for(block, kind); }
// Requires that the block is sealed as allocated.
inline void reseal_as_freed(Block* block) {
  MAZURKA_DEBUG_CHECK(has_seal(block, kAllocatedSeal));
  block->seal ^= kAllocatedSeal ^ kFreedSeal;
}

// --- free lists

inline uint64_t check_for(const Block* block) {
  return reinterpret_cast<uintptr_t>(block->next) ^ reinterpret_cast<uintptr_t>(block) ^
         0x6d61'7a75'726b'6121;
}
inline void push(Block** list, Block* block) {
  block->next = *list;
  block->next_check = check_for(block);
  *list = block;
}
inline bool has_good_link(const Block* block) { return block->next_check == check_for(block); }

// --- guard, skew

inline constexpr uint64_t kGuard = 0x6b72'757a'616d'fdfd;

inline void set_guard(Block* block) {
  __builtin_memcpy(data_of(block) + size_in(block->word), &kGuard, sizeof kGuard);
}
inline bool has_guard(Block* block) {
  uint64_t found = 0;
  __builtin_memcpy(&found, data_of(block) + size_in(block->word), sizeof found);
  return found == kGuard;
}

// Room before the user's bytes of an aligned block: the free list's link, the skew, the second
// header.
inline constexpr uint64_t kMinSkew = 48;
inline uint64_t* skew_place(Block* block) {
  return reinterpret_cast<uint64_t*>(data_of(block) + 16);
}
inline uint64_t skew_of(Block* block) {
  return (block->word & kAlignedFlag) != 0 ? *skew_place(block) : 0;
}

// --- what was freed is filled, so that a write to it is noticed when the block is used again or at
// the end; and whoever reads a pointer from it gets no address

inline constexpr uint64_t kFreedFill = 0xfdfd'fdfd'fdfd'fdfd;
// More of a block is not filled: it would cost more than malloc and free.
inline constexpr uint64_t kMostFilled = 256;

// The words to fill. The first two of a block are its link, those of an aligned one all before the
// user's bytes.
struct FreedWords {
  uint64_t* begin;
  uint64_t count;
};
inline FreedWords freed_words(Block* block) {
  const uint64_t size = size_in(block->word);
  const uint64_t from = (block->word & kAlignedFlag) != 0 ? *skew_place(block) : 16;
  if (from > size) return {nullptr, 0};
  const uint64_t bytes = size - from < kMostFilled ? size - from : kMostFilled;
  return {reinterpret_cast<uint64_t*>(data_of(block) + from), bytes / 8};
}
// Not as a call of memset: see clear_memory in allocator.cc.
[[gnu::optimize("no-tree-loop-distribute-patterns")]] inline void fill_freed(Block* block) {
  const FreedWords words = freed_words(block);
  for (uint64_t i = 0; i < words.count; ++i) words.begin[i] = kFreedFill;
}
inline bool has_freed_fill(Block* block) {
  const FreedWords words = freed_words(block);
  uint64_t difference = 0;
  for (uint64_t i = 0; i < words.count; ++i) difference |= words.begin[i] ^ kFreedFill;
  return difference == 0;
}

}  // namespace mazurka
