#include "runtime/heap/allocator.h"

#include "base/check.h"
#include "runtime/core/hot.h"
#include "runtime/heap/heap_block.h"
#include "runtime/heap/heap_space.h"

namespace mazurka {
namespace {

// Pages of freed runs from this stride on go back to the kernel, except while exclusive: a reset in
// place looks for pages that were written, and would not miss those that vanished.
constexpr uint64_t kDiscardStride = uint64_t{1} << 20;
constexpr uint64_t kPage = 4096;

// They change with every switch.
alignas(kPage) MAZURKA_HOT(1) uint32_t current_slot;
MAZURKA_HOT(2) Arena* current_arena;  // nullptr until the current thread's first allocation
bool locked = true;
uint32_t lock_word;

void acquire() {
  for (uint32_t tries = 0; __atomic_exchange_n(&lock_word, 1, __ATOMIC_ACQUIRE) != 0; tries++) {
    if (tries % 64 == 63) {
      yield_to_kernel();
    } else {
      __builtin_ia32_pause();
    }
  }
}

void release() { __atomic_store_n(&lock_word, 0, __ATOMIC_RELEASE); }

// One call of the allocator. What it finds wrong is reported at the end, when nothing is locked or
// half done: the report may allocate, or never return.
class HeapCall {
 public:
  explicit HeapCall(const void* caller) : caller_(caller) {
    if (__builtin_expect(locked, 0)) acquire();
  }
  HeapCall(const HeapCall&) = delete;
  HeapCall& operator=(const HeapCall&) = delete;
  ~HeapCall() {
    if (__builtin_expect(locked, 0)) release();
    if (__builtin_expect(what_ != nullptr, 0)) allocator_report(what_, address_, caller_);
  }

  void blame(const char* what, void* address) {
    what_ = what;
    address_ = address;
  }

 private:
  const void* caller_;
  const char* what_ = nullptr;
  void* address_ = nullptr;
};

// Not memset and memcpy: calls of those count as memory accesses of the program. `to` is aligned to
// 16, and the size is rounded up to 16, which every block has room for.
void clear_memory(void* to, uint64_t size) {
  uint64_t words = (size + 15) / 16 * 2;
  asm volatile("rep stosq" : "+D"(to), "+c"(words) : "a"(0) : "memory");
}

void copy_memory(void* to, const void* from, uint64_t size) {
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
}

// Takes the block that was freed last in this class; nullptr if there is none.
Block* pop(HeapCall* call, Block** list) {
  Block* block = *list;
  if (block == nullptr) return nullptr;
  if (__builtin_expect(!has_good_link(block), 0)) {
    // The rest of the list cannot be found any more, so it is never used again.
    *list = nullptr;
    call->blame(kWriteToFreed, data_of(block));
    return nullptr;
  }
  *list = block->next;
  if (__builtin_expect(!has_seal(block, kFreedSeal), 0)) {
    call->blame(kWriteBeforeBlock, data_of(block));
    return nullptr;
  }
  if (__builtin_expect(!has_freed_fill(block), 0)) {
    call->blame(kWriteToFreed, data_of(block) + skew_of(block));
    return nullptr;
  }
  return block;
}

// The free list of a class; nullptr if there cannot be anything on it.
Block** list_for(Arena* arena, uint32_t size_class) {
  if (size_class < kSmallClasses) return &arena->free[size_class];
  return arena->runs != nullptr ? &arena->runs->free[size_class - kSmallClasses] : nullptr;
}

Block* carve(Arena* arena, uint32_t size_class) {
  const uint64_t stride = stride_of(size_class);
  return size_class < kSmallClasses ? carve_small(arena, stride) : carve_run(arena, stride);
}

// Inlined everywhere: this is malloc.
[[gnu::always_inline]] inline Block* allocate(HeapCall* call, uint64_t size, bool zeroed) {
  if (__builtin_expect(size > kMaxRequest, 0)) return nullptr;
  if (__builtin_expect(current_arena == nullptr, 0)) {
    current_arena = open_arena(current_slot);
    if (current_arena == nullptr) return nullptr;
  }
  Arena* arena = current_arena;
  const uint32_t size_class = class_of(stride_for(size));
  Block** list = list_for(arena, size_class);
  Block* block = list != nullptr ? pop(call, list) : nullptr;
  if (block == nullptr) {
    block = carve(arena, size_class);
    if (__builtin_expect(block == nullptr, 0)) return nullptr;
  } else if (zeroed) {
    clear_memory(data_of(block), size);
  }
  block->word = make_word(size, size_class, arena->slot, 0);
  block->count = ++arena->count;
  set_seal(block, kAllocatedSeal);
  set_guard(block);
  return block;
}

// Why the address is no allocated block. `freed` is the name of the offence if it was one.
const char* offence(void* address, const char* freed) {
  const auto number = reinterpret_cast<uintptr_t>(address);
  Block* block = find_block(number);
  if (block == nullptr) return kNotAllocated;
  const bool intact = has_seal(block, kAllocatedSeal) || has_seal(block, kFreedSeal);
  if (!intact) return address == data_of(block) ? kWriteBeforeBlock : kNotAllocated;
  if (address != data_of(block) + skew_of(block)) return kNotAllocated;
  return has_seal(block, kFreedSeal) ? freed : kWriteBeforeBlock;
}

// The allocated block whose user's bytes begin at the address. Otherwise blames, and returns
// nullptr.
[[gnu::always_inline]] inline Block* allocated_block(HeapCall* call, void* address,
                                                     const char* freed) {
  const auto number = reinterpret_cast<uintptr_t>(address);
  // A small block of one's own: what nearly every call is about.
  const bool near = current_arena != nullptr &&
                    number - reinterpret_cast<uintptr_t>(current_arena + 1) <
                        current_arena->chunks_end - reinterpret_cast<uintptr_t>(current_arena + 1);
  if (__builtin_expect(number % 16 != 0 || (!near && !heap_holds(number)), 0)) {
    call->blame(kNotAllocated, address);
    return nullptr;
  }
  Block* block = block_before(address);
  bool good = has_seal(block, kAllocatedSeal);
  if (good && (block->word & (kSecondHeaderFlag | kAlignedFlag)) != 0) {
    const uint64_t skew = (block->word & kSecondHeaderFlag) != 0 ? size_in(block->word) : 0;
    block = block_before(static_cast<char*>(address) - skew);
    good = has_seal(block, kAllocatedSeal) && *skew_place(block) == skew;
  }
  if (__builtin_expect(!good, 0)) {
    call->blame(offence(address, freed), address);
    return nullptr;
  }
  if (__builtin_expect(!has_guard(block), 0)) {
    call->blame(kWriteAfterBlock, address);
    return nullptr;
  }
  return block;
}

void discard(Block* block) {
  const auto begin = reinterpret_cast<uintptr_t>(block);
  discard_pages(begin + kPage, begin + stride_of(class_in(block->word)) / kPage * kPage);
}

// Blocks of static initialisers, where those have left very many: what was freed of them.
constexpr uint32_t kMostWatched = 256;
constexpr uint32_t kMostFreedOld = 1024;
bool watches_old_blocks;
uint32_t freed_old_count;
Block* freed_old[kMostFreedOld];

void note_old_block(Block* block) {
  if (is_old(block) && freed_old_count < kMostFreedOld) freed_old[freed_old_count++] = block;
}

// Requires that the block is allocated and its thread's arena open.
[[gnu::always_inline]] inline void retire(Block* block) {
  if ((block->word & kAlignedFlag) != 0) {
    // Or the second header would pass for an allocated block once this memory is somebody's again.
    block_before(data_of(block) + *skew_place(block))->seal = 0;
  }
  reseal_as_freed(block);
  if (__builtin_expect(watches_old_blocks, 0)) note_old_block(block);
  const uint32_t size_class = class_in(block->word);
  if (__builtin_expect(locked, 0) && stride_of(size_class) >= kDiscardStride) discard(block);
  fill_freed(block);
  // A block that another thread frees is not used again: when it comes back would depend on the
  // schedule, and with it the addresses that its owner gets.
  if (slot_in(block->word) != current_slot) {
    Block* no_list = nullptr;
    push(&no_list, block);
    return;
  }
  push(list_for(current_arena, size_class), block);
}

// Whether a block of this stride is the right place for so many bytes (with the skew).
bool suits(uint64_t stride, uint64_t size) {
  const uint64_t needed = stride_for(size);
  return needed <= stride && (needed >= stride / 2 || stride <= kMaxLinearStride);
}

}  // namespace

void allocator_set_slot(uint32_t slot) {
  MAZURKA_DEBUG_CHECK(slot < kHeapSlots);
  current_slot = slot;
  current_arena = find_arena(slot);
}

void allocator_set_exclusive(bool exclusive) { locked = !exclusive; }

bool allocator_prepare(uint32_t slot) {
  HeapCall call(nullptr);
  return open_arena(slot) != nullptr;
}

void allocator_before_fork() {
  if (locked) acquire();
}

void allocator_after_fork() {
  if (locked) release();
}

void allocator_begin() { age_blocks(); }

void allocator_begin_executions() {
  uint32_t count = 0;
  each_arena([&](const Arena* arena) {
    each_young_block(arena, [&](Block*) { return ++count <= kMostWatched; });
  });
  if (count <= kMostWatched) return;
  age_blocks();
  watches_old_blocks = true;
}

namespace {

// What was done to the block while nobody looked; null: nothing.
const char* damage(Block* block) {
  if (has_seal(block, kAllocatedSeal)) return has_guard(block) ? nullptr : kWriteAfterBlock;
  if (!has_seal(block, kFreedSeal)) return kWriteBeforeBlock;
  return has_good_link(block) && has_freed_fill(block) ? nullptr : kWriteToFreed;
}

}  // namespace

namespace {

// Once for all slots.
bool check_freed_old() {
  HeapCall call(nullptr);
  for (; freed_old_count > 0; --freed_old_count) {
    Block* const block = freed_old[freed_old_count - 1];
    if (damage(block) == nullptr) continue;
    call.blame(damage(block), data_of(block) + skew_of(block));
    return false;
  }
  return true;
}

}  // namespace

bool allocator_check(uint32_t slot) {
  if (freed_old_count > 0 && !check_freed_old()) return false;
  if (!has_young_blocks(slot)) return true;
  const Arena* arena = find_arena(slot);
  HeapCall call(nullptr);
  bool good = true;
  each_young_block(arena, [&](Block* block) {
    const char* what = damage(block);
    if (what == nullptr) return true;
    good = false;
    call.blame(what, data_of(block) + (what == kWriteBeforeBlock ? 0 : skew_of(block)));
    return false;
  });
  return good;
}

bool allocator_describe(const void* address, HeapPlace* place) {
  const auto number = reinterpret_cast<uintptr_t>(address);
  Block* block = find_block(number);
  if (block == nullptr) return false;
  const bool allocated = has_seal(block, kAllocatedSeal);
  if (!allocated && !has_seal(block, kFreedSeal)) return false;
  const uint64_t skew = skew_of(block);
  if (skew > size_in(block->word)) return false;  // overwritten
  const uint64_t size = size_in(block->word) - skew;
  const uint64_t offset = number - reinterpret_cast<uintptr_t>(data_of(block)) - skew;
  if (offset != 0 && offset >= size) return false;
  *place = {slot_in(block->word), block->count, offset, size, allocated};
  return true;
}

void* heap_allocate(size_t size, const void* caller) {
  HeapCall call(caller);
  Block* block = allocate(&call, size, false);
  return block != nullptr ? data_of(block) : nullptr;
}

void* heap_allocate_zeroed(size_t size, const void* caller) {
  HeapCall call(caller);
  Block* block = allocate(&call, size, true);
  return block != nullptr ? data_of(block) : nullptr;
}

void* heap_allocate_aligned(size_t alignment, size_t size, const void* caller) {
  MAZURKA_DEBUG_CHECK(alignment != 0 && (alignment & (alignment - 1)) == 0);
  if (alignment <= 16) return heap_allocate(size, caller);
  if (alignment > kMaxRequest || size > kMaxRequest) return nullptr;
  HeapCall call(caller);
  Block* block = allocate(&call, size + alignment + kMinSkew, false);
  if (block == nullptr) return nullptr;
  const auto begin = reinterpret_cast<uintptr_t>(data_of(block));
  const uint64_t skew = ((begin + kMinSkew + alignment - 1) & ~(alignment - 1)) - begin;
  block->word = make_word(skew + size, class_in(block->word), slot_in(block->word), kAlignedFlag);
  set_seal(block, kAllocatedSeal);
  set_guard(block);
  *skew_place(block) = skew;
  Block* second = block_before(data_of(block) + skew);
  second->word = make_word(skew, 0, slot_in(block->word), kSecondHeaderFlag);
  second->count = block->count;
  set_seal(second, kAllocatedSeal);
  return data_of(block) + skew;
}

void* heap_reallocate(void* address, size_t size, const void* caller) {
  MAZURKA_DEBUG_CHECK(address != nullptr);
  HeapCall call(caller);
  Block* block = allocated_block(&call, address, kReallocOfFreed);
  if (block == nullptr || size > kMaxRequest) return nullptr;
  const uint64_t skew = skew_of(block);
  if (suits(stride_of(class_in(block->word)), skew + size)) {
    block->word = block->word - size_in(block->word) + skew + size;
    set_seal(block, kAllocatedSeal);
    set_guard(block);
    return address;
  }
  Block* moved = allocate(&call, size, false);
  if (moved == nullptr) return nullptr;
  const uint64_t old_size = size_in(block->word) - skew;
  copy_memory(data_of(moved), address, old_size < size ? old_size : size);
  retire(block);
  return data_of(moved);
}

void heap_free(void* address, const void* caller) {
  if (address == nullptr) return;
  HeapCall call(caller);
  Block* block = allocated_block(&call, address, kDoubleFree);
  if (block != nullptr) retire(block);
}

namespace {

constexpr uint32_t kNoClass = 0xffff;
constexpr uint32_t kTakenAgain = uint32_t{1} << 24;  // in the count of a block: its name is new

bool is_block(const void* address, HeapPlace* place) {
  return allocator_describe(address, place) && place->offset == 0;
}

// The list on which it waits for its owner, if it does.
void unlink(Block* block) {
  Arena* const arena = find_arena(slot_in(block->word));
  if (arena == nullptr) return;
  Block** at = list_for(arena, class_in(block->word));
  while (at != nullptr && *at != nullptr && *at != block && has_good_link(*at)) at = &(*at)->next;
  if (at == nullptr || *at != block) return;
  *at = block->next;
  if (at != list_for(arena, class_in(block->word))) {
    Block* const before =
        pointer_to<Block>(reinterpret_cast<uintptr_t>(at) - offsetof(Block, next));
    before->next_check = check_for(before);
  }
}

}  // namespace

uint32_t heap_class_for(size_t size) {
  return size <= kMaxRequest ? class_of(stride_for(size)) : kNoClass;
}

uint32_t heap_class_of(const void* block) {
  HeapPlace place;
  if (!is_block(block, &place)) return kNoClass;
  const Block* const found = block_before(block);
  return (found->word & (kAlignedFlag | kSecondHeaderFlag)) != 0 ? kNoClass : class_in(found->word);
}

bool heap_is_freed(const void* block) {
  HeapPlace place;
  return is_block(block, &place) && !place.allocated;
}

bool heap_take_freed(void* address, size_t size) {
  Block* const block = block_before(address);
  if (!has_seal(block, kFreedSeal) || !has_good_link(block) || !has_freed_fill(block)) return false;
  unlink(block);
  block->word = make_word(size, class_in(block->word), slot_in(block->word), 0);
  block->count += kTakenAgain;
  set_seal(block, kAllocatedSeal);
  set_guard(block);
  return true;
}

size_t heap_size(const void* address) {
  HeapPlace place;
  if (address == nullptr || !allocator_describe(address, &place)) return 0;
  return place.size;
}

}  // namespace mazurka
