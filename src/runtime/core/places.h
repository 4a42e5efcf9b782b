// Where in the program's code a thread stands: for the log, and so for reports and the simulator.
#pragma once

#include "runtime/core/runtime.h"

namespace mazurka {

// Notes from where the thread has called us; with the call stack, or the registers of its frames,
// if the plan wants them. Requires that it is the current thread.
void record_place(ThreadId id, const Call& call);

// Where the current thread was when the tool's watchdog stopped it.
void record_interruption(uint64_t pc, void* const* frames, int count);

}  // namespace mazurka
