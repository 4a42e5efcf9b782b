// What the life of a thread is between its operations: it is created and runs up to its first one,
// stands before each (reach() and happen_at_once() of runtime.h), and leaves.
#pragma once

#include "base/ids.h"

namespace mazurka {

// Runs a thread that was just created up to its first visible operation.
void run_until_first_operation(ThreadId creator, ThreadId created);

// Who goes on now that the thread stands before an operation, or at exit: the creator of one that
// has run up to its first operation, otherwise whom the scheduler picks.
ThreadId goes_on_after(ThreadId id);

// The thread stands at exit: somebody else goes on. Never returns.
[[noreturn]] void leave_for_good(ThreadId id);

}  // namespace mazurka
