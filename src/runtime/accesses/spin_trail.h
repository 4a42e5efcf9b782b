// Loops that wait for another thread by looking at a variable again and again. An iteration that
// left the thread's own state (registers, stack) and every variable that it read as they were would
// do the same again: so the next look waits until one of them has changed (kSpinning in
// objects/operation.h). Otherwise the search would never end.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/core/runtime.h"

namespace mazurka {

// The caller of an atomic operation, or of a plain read (atomic_entry.S).
struct CallerState {
  uint64_t registers[6];      // those that a call preserves
  const uint64_t* stack_end;  // here is the address that it returns to, and above it all its frames
};

// Below it are programs and their data, but no stacks.
inline constexpr uintptr_t kLowestStack = 0x6000'0000'0000;

// Counts what the current thread did that its stack does not show: writes elsewhere, looks at the
// clock.
extern uint64_t spin_activity;

// What identifies the thread's state at an operation on a variable.
struct SpinState {
  uint64_t pc = 0;
  uint64_t stack = 0;
  uint64_t hash = 0;
};
SpinState spin_state(const CallerState& caller);
// The same where there is no call: with the frames from `stack` on, and all that is in registers.
SpinState spin_state(uint64_t pc, const uint64_t* stack, const uint64_t* words, uint32_t count);

// If the current thread has come round to this state without effect: the operation waits for a
// change of what it has read since. Requires that the operation has no parts, or that those are the
// last that were added.
void wait_if_spinning(const SpinState& now, Operation& op);

// After the operation. `changed`: the variable has another value now.
void note_visit(const SpinState& now, ObjectId variable, bool changed);

// Whether the current thread may come round to a state that it was in.
bool has_spin_trail();

// The current thread did something else.
void leave_spin_trail();

// The current thread is about to write memory that is not on its own stack: maybe it is on
// another's (stack_guests.h).
void note_write_elsewhere(uintptr_t address, size_t size, uint64_t pc);

// The current thread is another one.
void change_spin_trail(ThreadId from, ThreadId to);

}  // namespace mazurka

// Who did an atomic operation last, or with --memory=visible a plain read: atomic_entry.S sets it.
extern "C" __attribute__((visibility("hidden"))) mazurka::CallerState mazurka_caller;
