// Stoller's locking discipline MLD', by the lockset algorithm: after its initialisation, memory
// that several threads use is only read, or one lock is held at every access to it.
//
// Who may initialise memory follows from where it lies, so that it does not depend on the schedule:
// the thread that allocated a heap block, the thread whose stack it is; of other memory nobody but
// a thread that is alone. Initialisation ends with the initialising thread's next visible
// operation. Guards of pending operations never look at plain memory here, so there is nothing to
// check about them (MLD'-L1).
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazurka {

struct DisciplinedWord;

// --discipline, and an execution runs.
extern bool discipline_is_checked;

void check_discipline(uintptr_t address, size_t size, bool writes, uint64_t pc);

// The block is gone: what comes to lie there is new.
void end_discipline_of(uintptr_t address, size_t size);

// What is known of the word of memory there in this execution.
DisciplinedWord& disciplined_word(uint32_t space, uint64_t address);

}  // namespace mazurka
