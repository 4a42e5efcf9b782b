#include "runtime/heap/heap_space.h"

#include <errno.h>
#include <sys/mman.h>

#include "base/check.h"
#include "runtime/core/raw.h"

namespace mazurka {

// Where the rest of the runtime is linked in, too: a reset in place must know of new mappings.
void note_program_mapping(uintptr_t start, size_t length) __attribute__((weak));
namespace {

constexpr uint64_t kFirstMapping = uint64_t{256} << 10;
constexpr uint64_t kGrowthLimit = uint64_t{16} << 20;
constexpr uint64_t kPage = 4096;
constexpr uint64_t kUnitsPerHeap = kHeapBytes / kUnit;
static_assert(sizeof(RunTable) <= kUnit);
static_assert(sizeof(ChunkHeader) + sizeof(Arena) < kPage / 2,
              "a thread's first blocks share a page with them");

// The range that all threads share when their own is full. Units are given out in order and never
// come back: the blocks in them do, on the free lists of their owners.
struct Overflow {
  uint64_t next_unit;
  uintptr_t mapped;
  uint32_t first[kOverflowBytes / kUnit];  // as in RunTable, or kChunk
};
constexpr uint32_t kChunk = 0xffffffff;
constexpr uint64_t kOverflowHeaderUnits = (sizeof(Overflow) + kUnit - 1) / kUnit;

uint64_t opened_arenas[kHeapSlots / 64];
uint64_t grown_arenas[kHeapSlots / 64];  // that have blocks which are not old; beside the arenas,
                                         // so that one need not look there
bool overflow_opened;

void note_growth(const Arena* arena) {
  grown_arenas[arena->slot / 64] |= uint64_t{1} << (arena->slot % 64);
}

// Not by libc's mmap: it is interposed, and would take the heap's mappings for the program's.
long map_at(uintptr_t begin, uint64_t bytes, int how) {
  if (note_program_mapping != nullptr) note_program_mapping(begin, bytes);
  return raw_syscall(SYS_mmap, static_cast<long>(begin), static_cast<long>(bytes),
                     PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | how, -1,
                     0);
}

bool map_range(uintptr_t begin, uintptr_t end) {
  long result = map_at(begin, end - begin, MAP_FIXED_NOREPLACE);
  // A reset in place rolled back our knowledge of this mapping, but not the mapping. Its bytes are
  // those of an earlier execution; these are zero.
  if (result == -EEXIST) result = map_at(begin, end - begin, MAP_FIXED);
  return result == static_cast<long>(begin);
}

uint64_t growth(uint64_t mapped, uint64_t needed) {
  const uint64_t step = mapped < kGrowthLimit ? mapped : kGrowthLimit;
  return needed > step ? needed : step;
}

uintptr_t heap_begin(uint32_t slot) { return kHeapBase + slot * kHeapBytes; }
uintptr_t table_begin(uint32_t slot) { return heap_begin(slot) + kHeapBytes - kUnit; }
Arena* arena_place(uint32_t slot) {
  return pointer_to<Arena>(heap_begin(slot) + sizeof(ChunkHeader));
}
Overflow* overflow() { return pointer_to<Overflow>(kOverflowBase); }

bool reach_low(Arena* arena, uintptr_t end) {
  if (end <= arena->low_mapped) return true;
  // The table's place is kept free, or a heap full of chunks could have no run in the shared range.
  const uintptr_t limit = arena->runs != nullptr ? arena->high_mapped : table_begin(arena->slot);
  if (end > limit) return false;
  uintptr_t target = arena->low_mapped +
                     growth(arena->low_mapped - heap_begin(arena->slot), end - arena->low_mapped);
  if (target > limit) target = limit;
  if (!map_range(arena->low_mapped, target)) return false;
  arena->low_mapped = target;
  return true;
}

bool reach_high(Arena* arena, uintptr_t begin) {
  if (begin >= arena->high_mapped) return true;
  const uintptr_t limit = arena->low_mapped;
  if (begin < limit) return false;
  const uint64_t step =
      growth(heap_begin(arena->slot) + kHeapBytes - arena->high_mapped, arena->high_mapped - begin);
  const uintptr_t target = arena->high_mapped - limit > step ? arena->high_mapped - step : limit;
  if (!map_range(target, arena->high_mapped)) return false;
  arena->high_mapped = target;
  return true;
}

bool open_overflow() {
  if (overflow_opened) return true;
  const uintptr_t end = kOverflowBase + kOverflowHeaderUnits * kUnit;
  if (!map_range(kOverflowBase, end)) return false;
  overflow()->next_unit = kOverflowHeaderUnits;
  overflow()->mapped = end;
  overflow_opened = true;
  return true;
}

// Returns the address of so many units that nobody has had before; 0 without memory.
uintptr_t take_overflow(uint64_t units, bool chunk) {
  if (!open_overflow()) return 0;
  Overflow& shared = *overflow();
  const uint64_t unit = shared.next_unit;
  if (units > kOverflowBytes / kUnit - unit) return 0;
  const uintptr_t begin = kOverflowBase + unit * kUnit;
  const uintptr_t end = begin + units * kUnit;
  if (end > shared.mapped) {
    uintptr_t target = shared.mapped + growth(kGrowthLimit, end - shared.mapped);
    if (target > kHeapEnd) target = kHeapEnd;
    if (!map_range(shared.mapped, target)) return 0;
    shared.mapped = target;
  }
  for (uint64_t i = 0; i < units; i++) {
    shared.first[unit + i] = chunk ? kChunk : static_cast<uint32_t>(unit);
  }
  shared.next_unit += units;
  return begin;
}

bool open_chunk(Arena* arena) {
  uintptr_t chunk = arena->chunks_end;
  if (reach_low(arena, chunk + kUnit)) {
    arena->chunks_end += kUnit;
  } else {
    chunk = take_overflow(1, true);
    if (chunk == 0) return false;
  }
  arena->bump = chunk + sizeof(ChunkHeader);
  arena->bump_end = chunk + kUnit;
  return true;
}

bool open_runs(Arena* arena) {
  if (arena->runs != nullptr) return true;
  const uintptr_t table = table_begin(arena->slot);
  if (!reach_high(arena, table)) return false;
  arena->runs = pointer_to<RunTable>(table);
  arena->runs_begin = arena->old_runs_begin = table;
  return true;
}

Block* find_in_chunk(uintptr_t address) {
  const uintptr_t chunk = address & ~(kUnit - 1);
  const auto* header = pointer_to<const ChunkHeader>(chunk);
  const uint64_t bit = (address - chunk) / 16;
  uint64_t index = bit / 64;
  uint64_t word = header->starts[index] & (~uint64_t{0} >> (63 - bit % 64));
  while (word == 0) {
    if (index == 0) return nullptr;
    word = header->starts[--index];
  }
  const uint64_t last = index * 64 + 63 - static_cast<uint64_t>(__builtin_clzll(word));
  return pointer_to<Block>(chunk + last * 16);
}

}  // namespace

Arena* find_arena(uint32_t slot) {
  const bool opened = (opened_arenas[slot / 64] >> (slot % 64) & 1) != 0;
  return opened ? arena_place(slot) : nullptr;
}

Arena* open_arena(uint32_t slot) {
  MAZURKA_DEBUG_CHECK(slot < kHeapSlots);
  if (Arena* arena = find_arena(slot)) return arena;
  const uintptr_t begin = heap_begin(slot);
  if (!map_range(begin, begin + kFirstMapping)) return nullptr;
  Arena* arena = arena_place(slot);
  arena->slot = slot;
  arena->chunks_end = begin + kUnit;
  arena->low_mapped = begin + kFirstMapping;
  arena->runs_begin = arena->high_mapped = begin + kHeapBytes;
  arena->bump = begin + sizeof(ChunkHeader) + ((sizeof(Arena) + 15) & ~uint64_t{15});
  arena->bump_end = begin + kUnit;
  arena->old_bump = arena->bump;
  arena->old_runs_begin = arena->runs_begin;
  opened_arenas[slot / 64] |= uint64_t{1} << (slot % 64);
  return arena;
}

bool has_young_blocks(uint32_t slot) { return (grown_arenas[slot / 64] >> (slot % 64) & 1) != 0; }

void age_blocks() {
  for (uint64_t& word : grown_arenas) word = 0;
  for (uint32_t slot = 0; slot < kHeapSlots; ++slot) {
    if (slot % 64 == 0 && opened_arenas[slot / 64] == 0) {
      slot += 63;
    } else if (Arena* arena = find_arena(slot)) {
      arena->old_bump = arena->bump;
      arena->old_runs_begin = arena->runs_begin;
    }
  }
}

bool is_old(const Block* block) {
  const auto address = reinterpret_cast<uintptr_t>(block);
  const Arena* const arena = find_arena(slot_in(block->word));
  if (arena == nullptr || address >= kOverflowBase) return false;
  return address < arena->chunks_end ? address < arena->old_bump : address >= arena->old_runs_begin;
}

Block* carve_small(Arena* arena, uint64_t stride) {
  if (arena->bump_end - arena->bump < stride && !open_chunk(arena)) return nullptr;
  note_growth(arena);
  const uintptr_t begin = arena->bump;
  arena->bump += stride;
  const uint64_t bit = begin % kUnit / 16;
  auto* header = pointer_to<ChunkHeader>(begin & ~(kUnit - 1));
  header->starts[bit / 64] |= uint64_t{1} << (bit % 64);
  return pointer_to<Block>(begin);
}

Block* carve_run(Arena* arena, uint64_t stride) {
  if (!open_runs(arena)) return nullptr;
  const uint64_t units = (stride + kUnit - 1) / kUnit;
  const bool fits = units <= kUnitsPerHeap && reach_high(arena, arena->runs_begin - units * kUnit);
  if (!fits) return pointer_to<Block>(take_overflow(units, false));
  note_growth(arena);
  arena->runs_begin -= units * kUnit;
  const uint64_t unit = (arena->runs_begin - heap_begin(arena->slot)) / kUnit;
  for (uint64_t i = 0; i < units; i++) arena->runs->first[unit + i] = static_cast<uint32_t>(unit);
  return pointer_to<Block>(arena->runs_begin);
}

bool heap_holds(uintptr_t address) {
  if (address - kHeapBase >= kHeapEnd - kHeapBase) return false;
  if (address >= kOverflowBase) {
    if (!overflow_opened) return false;
    const uint64_t unit = (address - kOverflowBase) / kUnit;
    return unit >= kOverflowHeaderUnits && unit < overflow()->next_unit;
  }
  const uint32_t slot = static_cast<uint32_t>((address - kHeapBase) / kHeapBytes);
  const Arena* arena = find_arena(slot);
  if (arena == nullptr) return false;
  if (address < arena->chunks_end) return address > reinterpret_cast<uintptr_t>(arena + 1);
  return address > arena->runs_begin && address < table_begin(slot);
}

Block* find_block(uintptr_t address) {
  if (!heap_holds(address)) return nullptr;
  if (address >= kOverflowBase) {
    const uint32_t first = overflow()->first[(address - kOverflowBase) / kUnit];
    if (first == kChunk) return find_in_chunk(address);
    return pointer_to<Block>(kOverflowBase + first * kUnit);
  }
  const uint32_t slot = static_cast<uint32_t>((address - kHeapBase) / kHeapBytes);
  const Arena* arena = find_arena(slot);
  if (address < arena->chunks_end) return find_in_chunk(address);
  const uint32_t first = arena->runs->first[(address - heap_begin(slot)) / kUnit];
  return pointer_to<Block>(heap_begin(slot) + first * kUnit);
}

bool allocator_overflowed() { return overflow_opened; }

void discard_pages(uintptr_t begin, uintptr_t end) {
  MAZURKA_DEBUG_CHECK(begin % kPage == 0 && end % kPage == 0);
  raw_syscall(SYS_madvise, static_cast<long>(begin), static_cast<long>(end - begin), MADV_DONTNEED);
}

void yield_to_kernel() { raw_syscall(SYS_sched_yield); }

}  // namespace mazurka
