// Where heap blocks come from: the address ranges of the heaps, what is mapped of them, and which
// block holds an address. Used by the allocator only, under its lock.
//
// A heap grows from both ends of its range. At the low end are chunks of 64 KiB, filled one after
// the other with small blocks of any class, so that a thread with few allocations dirties a page or
// two and no more: each execution pays for each dirty page. Each chunk begins with a bitmap of
// where blocks begin. At the high end are runs, with a table that says for each unit which run it
// belongs to. Blocks are never split or merged.
#pragma once

#include <cstdint>

#include "runtime/heap/allocator.h"
#include "runtime/heap/heap_block.h"

namespace mazurka {

inline constexpr uint64_t kUnit = uint64_t{64} << 10;  // of chunks and runs

// One bit for each 16 bytes of the chunk that begins with it.
struct ChunkHeader {
  uint64_t starts[kUnit / 16 / 64];
};

struct RunTable {
  uint32_t first[kHeapBytes / kUnit];  // the unit where its run begins
  Block* free[kRunClasses];
};

struct Arena {
  uint32_t slot;
  uint32_t count;  // allocations so far
  uintptr_t bump;  // the rest of the open chunk
  uintptr_t bump_end;
  uintptr_t chunks_end;  // chunks lie below
  uintptr_t low_mapped;
  uintptr_t runs_begin;  // runs lie from here up to the table
  uintptr_t high_mapped;
  RunTable* runs;      // nullptr before the first run
  uintptr_t old_bump;  // blocks below it, or at old_runs_begin and above, were there before the
                       // program's own code
  uintptr_t old_runs_begin;
  Block* free[kSmallClasses];
};

// nullptr if this slot has not allocated yet.
Arena* find_arena(uint32_t slot);
// Makes it if need be; nullptr without memory. Requires slot < kHeapSlots.
Arena* open_arena(uint32_t slot);

// A new block, all bytes zero; nullptr without memory. The first requires the stride of a small
// class, the second that of a larger one.
Block* carve_small(Arena* arena, uint64_t stride);
Block* carve_run(Arena* arena, uint64_t stride);

// Whether a header can be read right before the address.
bool heap_holds(uintptr_t address);

// The last block that begins at or before the address in its chunk or run. The caller checks that
// it reaches so far.
Block* find_block(uintptr_t address);

// From now on the blocks that there are count as old.
void age_blocks();
bool is_old(const Block* block);
// Whether the slot's arena has blocks that are not. Does not look at the arena itself.
bool has_young_blocks(uint32_t slot);
// Calls f(Block*) for each block of the arena that is not old, until it returns false. Blocks in
// the range that all threads share are left out.
template <typename F>
void each_young_block(const Arena* arena, F&& f);
// Calls f(const Arena*) for each.
template <typename F>
void each_arena(F&& f);

// Gives the pages back; they read as zero then. Requires page boundaries.
void discard_pages(uintptr_t begin, uintptr_t end);

// Lets another kernel thread run.
void yield_to_kernel();

template <typename F>
void each_arena(F&& f) {
  for (uint32_t slot = 0; slot < kHeapSlots; ++slot) {
    if (const Arena* const arena = find_arena(slot)) f(arena);
  }
}

template <typename F>
void each_young_block(const Arena* arena, F&& f) {
  constexpr uint64_t kBits = 64;
  for (uintptr_t chunk = arena->old_bump & ~(kUnit - 1); chunk < arena->chunks_end;
       chunk += kUnit) {
    if (arena->old_bump == arena->bump) break;
    const auto* header = pointer_to<const ChunkHeader>(chunk);
    const uint64_t first = arena->old_bump > chunk ? (arena->old_bump - chunk) / 16 : 0;
    const bool is_open = arena->bump_end == chunk + kUnit;
    const uint64_t last = is_open ? (arena->bump - 1 - chunk) / 16 / kBits : kUnit / 16 / kBits - 1;
    for (uint64_t i = first / kBits; i <= last; ++i) {
      uint64_t word = header->starts[i];
      if (i == first / kBits) word &= ~uint64_t{0} << (first % kBits);
      for (; word != 0; word &= word - 1) {
        const uint64_t bit = i * kBits + static_cast<uint64_t>(__builtin_ctzll(word));
        if (!f(pointer_to<Block>(chunk + bit * 16))) return;
      }
    }
  }
  for (uintptr_t run = arena->runs_begin; run < arena->old_runs_begin;) {
    auto* block = pointer_to<Block>(run);
    const uint64_t stride =
        stride_of(class_in(block->word));  // before f: it may find the header overwritten
    if (!f(block)) return;
    run += (stride + kUnit - 1) / kUnit * kUnit;
  }
}

}  // namespace mazurka
