// Memory accesses that are operations: on kinds/variable/variable.h. Atomic ones always, plain ones
// with
// --memory=visible.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/accesses/spin_trail.h"
#include "runtime/core/runtime.h"

namespace mazurka {

// --memory=visible, and an execution runs.
extern bool accesses_are_visible __asm__("mazurka_accesses_are_visible");  // for atomic_entry.S
// That, or the locking discipline is checked, or memory is annotated.
extern bool accesses_are_special;

// The current thread's own stack.
extern uintptr_t own_stack_low;
extern uintptr_t own_stack_size;

// Whether an access by the current thread may interleave with anything.
bool may_interleave();

// Plain accesses. With `caller`, a read that may be a part of a loop that waits (spin_trail.h);
// without, no loop that it is in is taken for one.
void reach_range(uintptr_t address, size_t size, bool writes, uint64_t pc,
                 const CallerState* caller);

// The current thread is about to store there, and did not wait for that as a plain write does. What
// it leaves there is settled as that of plain writes.
void begin_store(const Operation& op, const void* address, uint32_t size);

// With --memory=visible: what the current thread has written since its last operation is known now.
// To be called before anybody else moves, and before the memory goes.
void settle_store();

// The variable has the bytes that the memory has: invisible code may have written them.
void refresh_variable(ObjectId variable, int64_t bytes);
// The same for those that lie in the same bytes as the operation's own, after it.
void refresh_overlapping(const Operation& op, const void* address);

// A number for the bytes, as kinds/variable/variable.h wants it.
int64_t variable_value(const volatile void* address, uint32_t size);

// In the first process, as an execution begins.
void begin_seeing();

bool holds_stack_of(ThreadId thread, uintptr_t address);
// Whose stack has the address; kNoThread: nobody's in this process.
ThreadId thread_with_stack(uintptr_t address);

// The current thread is this one.
void enter_stack_of(ThreadId thread);

}  // namespace mazurka
