// The program's memory allocator. Each thread has a heap of its own, at an address that follows
// from its slot, and what it gets there depends only on what it allocated and freed itself: never
// on what other threads did in the meantime. So addresses repeat when a schedule is replayed, and
// do not differ between two interleavings that are otherwise equivalent.
//
// malloc_interpose.cc gives these functions their C names; the scheduler says whose turn it is.
//
// All metadata lies inside the heaps, in private memory: fork copies it, and a reset in place rolls
// it back, provided that pages which were untouched at the snapshot read as zero again. A mapping
// that was made after the snapshot may stay or go: the heap maps it afresh when it grows there
// again.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazurka {

// Slot 0 is the main thread, and everything before main.
inline constexpr uint32_t kHeapSlots = 16384;
// All heaps lie above the range that sanitizers allocate from and below the shared segment.
inline constexpr uintptr_t kHeapBase = 0x6500'0000'0000;
inline constexpr uint64_t kHeapBytes = uint64_t{512} << 20;
// A thread whose range is full goes on in a range that all threads share. There its addresses do
// depend on the schedule; see allocator_overflowed.
inline constexpr uintptr_t kOverflowBase = kHeapBase + kHeapSlots * kHeapBytes;
inline constexpr uint64_t kOverflowBytes = uint64_t{1} << 40;
inline constexpr uintptr_t kHeapEnd = kOverflowBase + kOverflowBytes;
static_assert(kHeapEnd <= 0x7000'0000'0000, "the shared segment begins there");

// --- the scheduler's side

// From now on the thread of this slot allocates. Requires slot < kHeapSlots.
void allocator_set_slot(uint32_t slot);

// True: only one thread runs at a time, so no call takes a lock. False, as at the start: this is an
// ordinary process, and its kernel threads share slot 0 under a lock. Requires that no other thread
// is inside the allocator.
void allocator_set_exclusive(bool exclusive);

// Maps the beginning of a slot's heap, so that the thread's first allocations need no system call.
// False if there is no memory.
bool allocator_prepare(uint32_t slot);

// Around a fork of a process whose kernel threads share the heap: the child must not inherit a lock
// that a thread of the parent holds. The second is for both sides. No-ops while exclusive.
void allocator_before_fork();
void allocator_after_fork();

// Whether some thread has used up its own range.
bool allocator_overflowed();

// The program's own code begins: allocator_check will look at what is allocated from now on.
void allocator_begin();
// Static initialisers have run. If they have left very many blocks, allocator_check will look only
// at those of them that are freed.
void allocator_begin_executions();

// Reports the first block of this slot that was written past its ends or after it was freed, if
// there is one. False: there was.
bool allocator_check(uint32_t slot);

// --- naming what lives on the heap

struct HeapPlace {
  uint32_t slot;    // who allocated it
  uint32_t count;   // as which of its allocations, from 1
  uint64_t offset;  // in the block
  uint64_t size;    // of the block, as it was asked for
  bool allocated;   // false: freed since
};

// False if no block holds this address. Interior addresses are fine, and the time is constant.
bool allocator_describe(const void* address, HeapPlace* place);

// --- misuse

inline constexpr char kDoubleFree[] = "double free";
inline constexpr char kNotAllocated[] = "free of an address that malloc did not return";
inline constexpr char kReallocOfFreed[] = "realloc of a freed block";
inline constexpr char kWriteBeforeBlock[] = "write before the start of a heap block";
inline constexpr char kWriteAfterBlock[] = "write past the end of a heap block";
inline constexpr char kWriteToFreed[] = "write to a freed heap block";

// Implemented by the embedder, called with one of the above while the allocator is consistent and
// not locked. `caller` is where the program called the allocator; null if it did not. If it
// returns, the faulty call is ignored (and a realloc fails).
void allocator_report(const char* what, void* address, const void* caller);

// --- what malloc and its relatives do. They return nullptr without memory, and leave errno alone.
// `caller` is for reports.

void* heap_allocate(size_t size, const void* caller = nullptr);
void* heap_allocate_zeroed(size_t size, const void* caller = nullptr);
// Requires that alignment is a power of two.
void* heap_allocate_aligned(size_t alignment, size_t size, const void* caller = nullptr);
// Requires that address is not nullptr. Size 0 makes an empty block.
void* heap_reallocate(void* address, size_t size, const void* caller = nullptr);
void heap_free(void* address, const void* caller = nullptr);
// Classes of sizes, within which a freed block does for any request. Of a block that was aligned,
// and of what is none: one of nobody's.
uint32_t heap_class_for(size_t size);
uint32_t heap_class_of(const void* block);
// It is a block that nobody has now.
bool heap_is_freed(const void* block);
// Takes such a block, of whatever slot, for so many bytes, which are of its class. False: it was
// damaged.
bool heap_take_freed(void* block, size_t size);
// The size as asked for, not what it was rounded to: the bytes behind it are guarded.
size_t heap_size(const void* address);

}  // namespace mazurka
