// Finds out whether a thread that runs for long without an operation goes round in a loop: from the
// tool's signal on it makes one instruction at a time, until its registers, flags and stack are
// what they were before. How often it has gone round by then does not matter: in the next
// execution an instruction of the loop is replaced (AtomicForm::Loop), and the thread comes to us
// each time round.
#pragma once

#include <ucontext.h>

namespace mazurka {

// Installs the handler of the tool's signal.
void catch_trace_signal();

// Whether the thread goes one instruction at a time; then a trap that no patch makes is for
// trace_step.
bool is_tracing();
void trace_step(ucontext_t& interrupted);

}  // namespace mazurka
