// The plain memory accesses of instrumented code: the ABI of ThreadSanitizer, which gcc and clang
// share.
#include <cstring>

#include "runtime/accesses/annotated_calls.h"
#include "runtime/accesses/handler_accesses.h"
#include "runtime/accesses/lock_discipline.h"
#include "runtime/accesses/race_shadow.h"
#include "runtime/accesses/seen_memory.h"
#include "runtime/accesses/spin_trail.h"
#include "runtime/accesses/unshared_memory.h"
#include "runtime/accesses/visible_accesses.h"
#include "runtime/core/state.h"

namespace mazurka {
namespace {

uintptr_t number_of(const volatile void* address) { return reinterpret_cast<uintptr_t>(address); }

// What a thread writes to its own stack shows there (spin_trail.h). Right before it writes: nobody
// else moves in between.
void count_write(uintptr_t address, size_t size, uint64_t pc) {
  if (address - own_stack_low < own_stack_size) return;
  ++spin_activity;
  if (address >= kLowestStack) note_write_elsewhere(address, size, pc);
}

// With --memory=visible. What belongs to a call that is one operation goes the way of accesses that
// are not visible: if anything conflicts with it, it is told as Torn. False: so it is.
bool do_visibly(uintptr_t address, size_t size, bool writes, uint64_t pc,
                const CallerState* caller) {
  if (calls_are_annotated && is_in_operation(pc)) return false;
  reach_range(address, size, writes, pc, caller);
  if (calls_are_annotated)
    check_range(address, size, kAtomic | kVisible | (writes ? kWrites : kReads), pc);
  return true;
}

// What --memory=visible, --discipline and annotations do. True: that was all.
__attribute__((noinline, cold)) bool do_more(uintptr_t address, size_t size, bool writes,
                                             uint64_t pc, const CallerState* caller = nullptr) {
  if (handlers_are_watched) note_beside_handlers(address, size, writes);
  if (memory_is_annotated && check_unshared(address, size, writes, pc)) return accesses_are_visible;
  if (accesses_are_visible && do_visibly(address, size, writes, pc, caller)) return true;
  if (discipline_is_checked) check_discipline(address, size, writes, pc);
  return false;
}

// `caller`: it may be a part of a loop that waits.
template <uint32_t size>
void read(const volatile void* address, uint64_t pc, const CallerState* caller = nullptr) {
  if (__builtin_expect(accesses_are_special, 0) &&
      do_more(number_of(address), size, false, pc, caller))
    return;
  check_access<size, kReads>(number_of(address), pc);
}

template <uint32_t size>
void write(const volatile void* address, uint64_t pc) {
  const bool is_done =
      __builtin_expect(accesses_are_special, 0) && do_more(number_of(address), size, true, pc);
  count_write(number_of(address), size, pc);
  if (!is_done) check_access<size, kWrites>(number_of(address), pc);
}

void read_range(const volatile void* address, size_t size, uint64_t pc) {
  if (size == 0) return;
  if (accesses_are_special && do_more(number_of(address), size, false, pc)) return;
  check_range(number_of(address), size, kReads, pc);
}

void write_range(const volatile void* address, size_t size, uint64_t pc) {
  if (size == 0) return;
  const bool is_done = accesses_are_special && do_more(number_of(address), size, true, pc);
  count_write(number_of(address), size, pc);
  if (!is_done) check_range(number_of(address), size, kWrites, pc);
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

#define HIDDEN extern "C" __attribute__((visibility("hidden"), used))
#define CALLER reinterpret_cast<uint64_t>(__builtin_return_address(0))

// The entries of reads are in atomic_entry.S.
#define ACCESSES(size)                                                                           \
  HIDDEN void mazurka_read##size(void* a) { read<size>(a, CALLER, &mazurka_caller); }            \
  MAZURKA_EXPORT void __tsan_write##size(void* a) { write<size>(a, CALLER); }                    \
  MAZURKA_EXPORT void __tsan_unaligned_write##size(void* a) { write<size>(a, CALLER); }          \
  MAZURKA_EXPORT void __tsan_volatile_write##size(void* a) { write<size>(a, CALLER); }           \
  MAZURKA_EXPORT void __tsan_unaligned_volatile_write##size(void* a) { write<size>(a, CALLER); } \
  MAZURKA_EXPORT void __tsan_read##size##_pc(void* a, void* pc) {                                \
    read<size>(a, reinterpret_cast<uint64_t>(pc));                                               \
  }                                                                                              \
  MAZURKA_EXPORT void __tsan_write##size##_pc(void* a, void* pc) {                               \
    write<size>(a, reinterpret_cast<uint64_t>(pc));                                              \
  }                                                                                              \
  MAZURKA_EXPORT void __tsan_read_write##size(void* a) {                                         \
    read<size>(a, CALLER);                                                                       \
    write<size>(a, CALLER);                                                                      \
  }                                                                                              \
  MAZURKA_EXPORT void __tsan_unaligned_read_write##size(void* a) {                               \
    read<size>(a, CALLER);                                                                       \
    write<size>(a, CALLER);                                                                      \
  }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

MAZURKA_EXPORT void __tsan_read_range(void* a, size_t size) { read_range(a, size, CALLER); }
MAZURKA_EXPORT void __tsan_write_range(void* a, size_t size) { write_range(a, size, CALLER); }
MAZURKA_EXPORT void __tsan_read_range_pc(void* a, size_t size, void* pc) {
  read_range(a, size, reinterpret_cast<uint64_t>(pc));
}
MAZURKA_EXPORT void __tsan_write_range_pc(void* a, size_t size, void* pc) {
  write_range(a, size, reinterpret_cast<uint64_t>(pc));
}

MAZURKA_EXPORT void __tsan_vptr_read(void** a) { read<8>(a, CALLER); }
// Each destructor of a hierarchy sets the pointer, most of them to what it is.
MAZURKA_EXPORT void __tsan_vptr_update(void** a, void* value) {
  if (*a != value) write<8>(a, CALLER);
}

MAZURKA_EXPORT void* __tsan_memcpy(void* to, const void* from, size_t size) {
  read_range(from, size, CALLER);
  write_range(to, size, CALLER);
  return memcpy(to, from, size);
}
MAZURKA_EXPORT void* __tsan_memmove(void* to, const void* from, size_t size) {
  read_range(from, size, CALLER);
  write_range(to, size, CALLER);
  return memmove(to, from, size);
}
MAZURKA_EXPORT void* __tsan_memset(void* to, int byte, size_t size) {
  write_range(to, size, CALLER);
  return memset(to, byte, size);
}

// gcc's programs call it before libc knows the environment, and so before we can.
MAZURKA_EXPORT void __tsan_init() { meet_instrumented_module(); }

// Stacks are unwound where they are wanted; but calls that are annotated must be known.
MAZURKA_EXPORT void __tsan_func_entry(void* caller) {
  if (__builtin_expect(!calls_are_annotated, 1)) return;
  enter_function(CALLER, reinterpret_cast<uint64_t>(caller),
                 reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
}
MAZURKA_EXPORT void __tsan_func_exit() {
  if (__builtin_expect(!calls_are_annotated, 1)) return;
  leave_function(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
}
MAZURKA_EXPORT void __tsan_ignore_thread_begin() {}
MAZURKA_EXPORT void __tsan_ignore_thread_end() {}
