// Functions whose calls are single operations, as the user says: Stoller's section 10, method and
// atomic granularity.
//
// What such a call does to memory is neither interleaved nor an operation. That is right where
// nothing else can come between: each access is ordered with all others that it conflicts with
// (race_shadow.h looks), so it can be moved to where the call begins. And the call does no
// operation of its own, but for taking locks before it gives any back. Both are checked in every
// execution.
//
// An access belongs to such a call by its place in the code, so it does not matter that the call
// was inlined; or because such a call is under way, which the compiler tells us at the entry and
// the exit of functions that were not.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/core/runtime.h"

namespace mazurka {

// Some code is annotated, and an execution runs.
extern bool calls_are_annotated;

// The first process, as an execution begins.
void begin_annotated_calls();

// The current thread enters a function, which goes on at `pc`. `call`: where it returns to.
// `frame`: an address on the stack, above all that the function calls and below all that called it.
void enter_function(uint64_t pc, uint64_t call, uintptr_t frame);
void leave_function(uintptr_t frame);

// Whether an access of the current thread at `pc` belongs to such a call. Of one that commutes with
// others?
bool is_in_operation(uint64_t pc);
bool is_in_commuting_operation(uint64_t pc);

// The current thread stands before the operation.
void check_operation_in_call(const Operation& op, const Call& call);

}  // namespace mazurka
