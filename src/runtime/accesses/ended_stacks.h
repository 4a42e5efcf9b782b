// Stacks of threads that have ended are dead memory. Who comes there after the end is told of that
// memory error; who was there before, with nothing that orders the two, has a race with the end.
#pragma once

#include <cstdint>

#include "runtime/accesses/race_clocks.h"
#include "runtime/accesses/visible_accesses.h"
#include "runtime/core/state.h"
#include "runtime/heap/allocator.h"
#include "runtime/threads/fiber.h"

namespace mazurka {

// Whether the address lies on the stack of a thread other than the current one, and not of the
// first of its process.
inline bool is_on_other_stack(uintptr_t address) {
  const bool may_be_stack = address - kStackBase < kStackStride * kHeapSlots ||
                            (state.carrier == Carrier::KernelThreads && address >= kLowestStack);
  return may_be_stack && address - own_stack_low >= own_stack_size;
}

// The current thread accesses these bytes of a word there. Does not return if that stack's thread
// has ended.
void visit_stack(uintptr_t word, uint64_t bytes, uint32_t flags, uint64_t pc);

// The current thread ends.
void end_stack();

}  // namespace mazurka
