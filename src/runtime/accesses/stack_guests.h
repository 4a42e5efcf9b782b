// Words of a thread's stack to which others write: variables that it shares with them. Whether a
// thread spins (spin_trail.h) may depend only on what it knows, or schedules that are equivalent
// would be told apart. So such a word counts with the value that it had before the others wrote,
// until the thread itself writes another one: that shows by the memory, which then holds something
// else than what the others left there.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazurka {

// The current thread is about to write these bytes, which are not on its own stack; maybe they are
// on another's. False: there are more than can be remembered.
bool note_guest_write(uintptr_t address, size_t size);

// What the current thread wrote to the stacks of others is written: another one goes on.
void settle_guest_writes();

// Puts the values that the thread knows into these words of its stack; `restore_guests` puts the
// real ones back.
void show_known_guests(uint64_t* from, const uint64_t* to);
void restore_guests(uint64_t* from, const uint64_t* to);

}  // namespace mazurka
