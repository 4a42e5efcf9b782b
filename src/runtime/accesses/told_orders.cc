// What programs tell ThreadSanitizer by themselves: the functions of <sanitizer/tsan_interface.h>,
// and the older annotations (AnnotateHappensBefore and its like). A release or an acquire that they
// tell of is an operation on a variable of ours that stands for the address, so that the program's
// own memory is left alone. What they ask not to be told of is told all the same; fibers are named.
#include "runtime/accesses/seen_memory.h"
#include "runtime/accesses/spin_trail.h"
#include "runtime/accesses/visible_accesses.h"
#include "runtime/core/runtime.h"

namespace mazurka {
namespace {

// By the address, so that each execution finds the same variable for it.
constexpr uint32_t kPlaces = 1u << 14;
struct Place {
  uint64_t address;
  uint64_t of_readers;  // for locks that several may hold
};
Place places[kPlaces];

Place& place_for(const volatile void* address) {
  const auto number = reinterpret_cast<uint64_t>(address);
  uint64_t at = (number >> 3) * 0x9e37'79b9'7f4a'7c15 >> 50;
  for (uint32_t tried = 0; tried < kPlaces; ++tried, at = (at + 1) % kPlaces) {
    if (places[at].address == 0) places[at].address = number;
    if (places[at].address == number) return places[at];
  }
  runtime_error("the program tells of orders at more than 16384 addresses");
}

void tell(const uint64_t& variable, uint8_t flags, void* caller) {
  if (!may_interleave() || !memory_is_seen()) return;
  leave_spin_trail();
  const bool releases = (flags & kRelease) != 0;
  Operation op{.kind = releases ? OpKind::VarUpdate : OpKind::VarLoad, .update = Update::Or};
  op.flags = flags;
  find_variables(&variable, sizeof variable, op);
  refresh_variable(op.object, static_cast<int64_t>(variable));
  reach(op, {.pc = reinterpret_cast<uint64_t>(caller)});
}

void acquire(const volatile void* address, void* caller) {
  tell(place_for(address).address, kAcquire, caller);
}
void release(const volatile void* address, void* caller) {
  tell(place_for(address).address, kRelease, caller);
}

void lock(const volatile void* address, bool to_write, void* caller) {
  acquire(address, caller);
  if (to_write) tell(place_for(address).of_readers, kAcquire, caller);
}
void unlock(const volatile void* address, bool to_write, void* caller) {
  if (to_write) return release(address, caller);
  tell(place_for(address).of_readers, kRelease, caller);
}

constexpr unsigned kReadLock = 1u << 3;
constexpr unsigned kTryLockFailed = 1u << 5;

}  // namespace
}  // namespace mazurka

using namespace mazurka;

#define CALLER __builtin_return_address(0)

MAZURKA_EXPORT void __tsan_acquire(void* address) { acquire(address, CALLER); }
MAZURKA_EXPORT void __tsan_release(void* address) { release(address, CALLER); }

MAZURKA_EXPORT void __tsan_mutex_create(void*, unsigned) {}
MAZURKA_EXPORT void __tsan_mutex_destroy(void*, unsigned) {}
MAZURKA_EXPORT void __tsan_mutex_pre_lock(void*, unsigned) {}
MAZURKA_EXPORT void __tsan_mutex_post_lock(void* mutex, unsigned flags, int) {
  if ((flags & kTryLockFailed) == 0) lock(mutex, (flags & kReadLock) == 0, CALLER);
}
MAZURKA_EXPORT int __tsan_mutex_pre_unlock(void* mutex, unsigned flags) {
  unlock(mutex, (flags & kReadLock) == 0, CALLER);
  return 1;
}
MAZURKA_EXPORT void __tsan_mutex_post_unlock(void*, unsigned) {}
MAZURKA_EXPORT void __tsan_mutex_pre_signal(void*, unsigned) {}
MAZURKA_EXPORT void __tsan_mutex_post_signal(void*, unsigned) {}
MAZURKA_EXPORT void __tsan_mutex_pre_divert(void*, unsigned) {}
MAZURKA_EXPORT void __tsan_mutex_post_divert(void*, unsigned) {}

MAZURKA_EXPORT void* __tsan_external_register_tag(const char*) { return nullptr; }
MAZURKA_EXPORT void __tsan_external_register_header(void*, const char*) {}
MAZURKA_EXPORT void __tsan_external_assign_tag(void*, void*) {}
MAZURKA_EXPORT void __tsan_read_range_pc(void* address, size_t size, void* pc);
MAZURKA_EXPORT void __tsan_write_range_pc(void* address, size_t size, void* pc);
MAZURKA_EXPORT void __tsan_external_read(void* address, void* caller, void*) {
  __tsan_read_range_pc(address, 1, caller);
}
MAZURKA_EXPORT void __tsan_external_write(void* address, void* caller, void*) {
  __tsan_write_range_pc(address, 1, caller);
}
MAZURKA_EXPORT void __tsan_flush_memory() {}

// --- fibers

MAZURKA_EXPORT void* __tsan_get_current_fiber() { return places; }
MAZURKA_EXPORT void* __tsan_create_fiber(unsigned) {
  if (attached()) name_unmodelled("fibers (__tsan_create_fiber)", MAZURKA_HERE);
  return places;
}
MAZURKA_EXPORT void __tsan_destroy_fiber(void*) {}
MAZURKA_EXPORT void __tsan_switch_to_fiber(void*, unsigned) {
  if (attached()) name_unmodelled("fibers (__tsan_switch_to_fiber)", MAZURKA_HERE);
}
MAZURKA_EXPORT void __tsan_set_fiber_name(void*, const char*) {}

// --- the older annotations; each has a file and a line first

#define MAZURKA_TELLS(name, ...) \
  MAZURKA_EXPORT void name([[maybe_unused]] const char*, int, ##__VA_ARGS__)
using Memory = const volatile void*;

MAZURKA_TELLS(AnnotateHappensBefore, Memory address) { release(address, CALLER); }
MAZURKA_TELLS(AnnotateHappensAfter, Memory address) { acquire(address, CALLER); }
MAZURKA_TELLS(WTFAnnotateHappensBefore, Memory address) { release(address, CALLER); }
MAZURKA_TELLS(WTFAnnotateHappensAfter, Memory address) { acquire(address, CALLER); }
MAZURKA_TELLS(AnnotateCondVarSignal, Memory condition) { release(condition, CALLER); }
MAZURKA_TELLS(AnnotateCondVarSignalAll, Memory condition) { release(condition, CALLER); }
MAZURKA_TELLS(AnnotateCondVarWait, Memory condition, Memory) { acquire(condition, CALLER); }
MAZURKA_TELLS(AnnotateRWLockCreate, Memory) {}
MAZURKA_TELLS(AnnotateRWLockCreateStatic, Memory) {}
MAZURKA_TELLS(AnnotateRWLockDestroy, Memory) {}
MAZURKA_TELLS(AnnotateRWLockAcquired, Memory mutex, long to_write) {
  lock(mutex, to_write != 0, CALLER);
}
MAZURKA_TELLS(AnnotateRWLockReleased, Memory mutex, long to_write) {
  unlock(mutex, to_write != 0, CALLER);
}
MAZURKA_TELLS(AnnotatePublishMemoryRange, Memory, size_t) {}
MAZURKA_TELLS(AnnotateUnpublishMemoryRange, Memory, size_t) {}
MAZURKA_TELLS(AnnotatePCQCreate, Memory) {}
MAZURKA_TELLS(AnnotatePCQDestroy, Memory) {}
MAZURKA_TELLS(AnnotatePCQPut, Memory queue) { release(queue, CALLER); }
MAZURKA_TELLS(AnnotatePCQGet, Memory queue) { acquire(queue, CALLER); }
MAZURKA_TELLS(AnnotateMutexIsNotPHB, Memory) {}
MAZURKA_TELLS(AnnotateMutexIsUsedAsCondVar, Memory) {}
MAZURKA_TELLS(AnnotateNewMemory, Memory, size_t) {}
MAZURKA_TELLS(AnnotateTraceMemory, Memory) {}
MAZURKA_TELLS(AnnotateExpectRace, Memory, const char*) {}
MAZURKA_TELLS(AnnotateBenignRace, Memory, const char*) {}
MAZURKA_TELLS(AnnotateBenignRaceSized, Memory, size_t, const char*) {}
MAZURKA_TELLS(WTFAnnotateBenignRaceSized, Memory, size_t, const char*) {}
MAZURKA_TELLS(AnnotateThreadName, const char*) {}
MAZURKA_TELLS(AnnotateEnableRaceDetection, int) {}
MAZURKA_TELLS(AnnotateFlushState) {}
MAZURKA_TELLS(AnnotateNoOp, Memory) {}
MAZURKA_TELLS(AnnotateIgnoreReadsBegin) {}
MAZURKA_TELLS(AnnotateIgnoreReadsEnd) {}
MAZURKA_TELLS(AnnotateIgnoreWritesBegin) {}
MAZURKA_TELLS(AnnotateIgnoreWritesEnd) {}
MAZURKA_TELLS(AnnotateIgnoreSyncBegin) {}
MAZURKA_TELLS(AnnotateIgnoreSyncEnd) {}
