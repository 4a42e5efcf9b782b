// Memory accesses that are operations: on objects/variable.h. Atomic ones always, plain ones with --memory=visible.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/runtime.h"

namespace mazurka {

// --memory=visible, and an execution runs.
extern bool accesses_are_visible;
// That, or the locking discipline is checked, or memory is annotated.
extern bool accesses_are_special;

// The current thread's own stack.
extern uintptr_t own_stack_low;
extern uintptr_t own_stack_size;

// Whether an access by the current thread may interleave with anything.
bool may_interleave();

// A plain access.
void reach_access(uintptr_t address, uint32_t size, bool writes, uint64_t pc);
void reach_range(uintptr_t address, size_t size, bool writes, uint64_t pc);

// The variable has the bytes that the memory has: invisible code may have written them.
void refresh_variable(ObjectId variable, int64_t bytes);
// The same for those that lie in the same bytes as the operation's own, after it.
void refresh_overlapping(const Operation& op, const void* address);

// A number for the bytes, as objects/variable.h wants it.
int64_t variable_value(const volatile void* address, uint32_t size);

// In the first process, as an execution begins.
void begin_seeing();

// The current thread is this one.
void enter_stack_of(ThreadId thread);

}  // namespace mazurka
