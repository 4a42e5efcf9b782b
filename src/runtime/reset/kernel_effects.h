// What an execution does to the kernel. A reset in place gives memory its old bytes back;
// descriptors, mappings, signal dispositions and processes it cannot. So a system call that could
// leave such a trace is not done in place: the execution ends there, and the program goes to the
// fork server.
#pragma once

#include "runtime/core/raw.h"

namespace mazurka {

// Whether this call, made by the program, leaves nothing behind that a reset in place does not
// undo. The signal mask is put back, too.
bool leaves_no_trace(long number, long first_argument);

// The same for a system call. Returns at once if it leaves no trace, too.
void need_fork_for(long number, long first_argument);

// The execution cannot go on in place: `what` is the reason. Returns at once if it does not run in
// place.
void need_fork(const char* what);

// A system call on the program's behalf, with the result as the kernel gives it.
long program_syscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                     long f = 0);

}  // namespace mazurka
