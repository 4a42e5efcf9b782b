// Memory that a handler of a signal shares with the code that it may interrupt. Handlers run at
// operations, not between two accesses to memory that are none (--memory=visible makes them some).
// That matters where a thread makes two accesses between two of its operations to what a handler
// accesses as well, and no two of them are mere reads: then a note in the verdict says so.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazurka {

// The program is instrumented, and the process has handlers.
extern bool handlers_are_watched;
void watch_handlers();

// Of the current thread.
void note_beside_handlers(uintptr_t address, size_t size, bool writes);

}  // namespace mazurka
