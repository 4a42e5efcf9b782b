// Who goes on. The thread that holds the baton picks the next transition by the plan, does it on
// the models, writes the log, and hands the baton over; so one execution costs the tool one
// hand-over, not two a step.
#pragma once

#include "runtime/core/state.h"

namespace mazurka {

// Picks the next transition, logs and applies it. Returns who goes on. Ends the execution (and this
// process) if there is none.
ThreadId pick();

// `from` stops here; `to` goes on, in this process or another. Returns when `from` is handed the
// baton again.
void hand_over(ThreadId from, ThreadId to);
// The same, from a process that is about to vanish: returns at once.
void give_away(ThreadId to);
// A process's first wait, right after fork.
void await_first_baton();

// Runs a thread that was just created up to its first visible operation.
void run_until_first_operation(ThreadId creator, ThreadId created);

// The thread stands at exit: somebody else goes on. Never returns.
[[noreturn]] void leave_for_good(ThreadId id);

// Where the current thread was when the tool's watchdog stopped it.
void record_interruption(uint64_t pc, void* const* frames, int count);

[[noreturn]] void end_execution(Ending ending);

}  // namespace mazurka
