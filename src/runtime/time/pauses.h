// Yields and sleeps of the program. They have no effect, and wait for nobody: the first few in a
// row are invisible, others are operations. A loop that does nothing but pause, with the thread's
// registers and stack as they were, waits for what others do to memory: then the thread stands back
// until they have moved.
#pragma once

#include "runtime/accesses/spin_trail.h"
#include "runtime/core/runtime.h"

namespace mazurka {

// Time passes by `duration_ns`, and by more and more if the thread pauses again and again, so that
// a loop that waits for a deadline comes to its end. `caller`: who paused; copied from
// mazurka_caller (pause_entry.S) before anybody else can move. Returns whether a signal handler has
// interrupted it.
bool pause_briefly(int64_t duration_ns, const CallerState& caller, Call call);

}  // namespace mazurka
