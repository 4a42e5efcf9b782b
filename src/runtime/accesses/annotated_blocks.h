// Memory that one thread uses, as the user says, and that is not static: heap blocks by the
// functions that allocate them, stacks by the functions in which their threads begin.
// unshared_memory.h checks that it is so.
#pragma once

#include "runtime/core/runtime.h"

namespace mazurka {

// The first process, as an execution begins.
void begin_annotated_blocks();

extern bool allocations_are_annotated;
// The current thread has allocated the block. `caller`: of the allocator.
void note_allocation(const void* block, const void* caller);

// Whether anything is said about blocks or stacks.
bool blocks_are_annotated();
struct Claim {
  Sharing sharing;
  uint64_t code;  // where the function begins that it is about; 0: none
};
// About a block on the heap, and about the stack of a thread.
Claim claim_about_block(const void* address);
Claim claim_about_stack(ThreadId thread);

}  // namespace mazurka
