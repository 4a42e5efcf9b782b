// The processor's time stamp counter, which no call reads: the kernel is told to let its
// instructions fault, and they show the thread's virtual clock.
#pragma once

#include <signal.h>

namespace mazurka {

// Of this process, and those forked from it. What libc does before the runtime is there reads the
// counter, so a new image must not inherit it.
void trap_time_stamps();
void release_time_stamps();

// Whether that was why the program got the signal: then the thread goes on behind the instruction.
bool serves_time_stamp(int signal, const siginfo_t* info, void* context);

}  // namespace mazurka
