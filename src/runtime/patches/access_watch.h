// Learns which plain loads and stores of code that does not tell its accesses use words that locked
// instructions use: `while (!stop)`, where stop is exchanged; the first look before a
// compare-exchange. They are replaced in later instances (AtomicForm::Load and its kin), and are
// operations like these.
//
// A trap stands at each instruction that accesses memory (protocol/patch_records.h, WatchPlace),
// the first times that it is come to while several threads run. What it accesses is noted, and
// compared with the words of locked instructions before and after. It is done in a copy beside the
// module, so that the trap stays. Later it is taken away, and comes back in the 2nd, 4th, 8th...
// execution, and when locked instructions have come to further words. So what is learned depends on
// counts.
//
// Nothing here is part of what a reset in place brings back: it lies in the segment and in code.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>

#include "protocol/patch_records.h"

namespace mazurka {

// A module was met, with these places, and its memory from `start` to `end`.
void watch_module(uint64_t base, uint64_t start, uint64_t end, const ScannedModule& scan);

// Before each execution, in the server.
void begin_watched_execution();
// Several threads run from now on, or another process.
void arm_watches();
void arm_watches_later();

// The current thread does an operation on these bytes because of a locked instruction.
void note_locked_bytes(const uint8_t* address, uint32_t size);

// If a watched instruction begins there, lets the thread go on in its copy.
bool look_at_access(uint64_t address, ucontext_t& interrupted);

// The code at this address as it would be without traps of this kind. Requires room for 15 bytes.
void read_code(uint64_t address, uint8_t* code);

// The plain access that was replaced there comes round in a loop that waits: from now on its thread
// is watched behind it.
[[noreturn]] void learn_loop_at(uint64_t address);

}  // namespace mazurka
