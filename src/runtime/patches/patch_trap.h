// Locked instructions that a trap stands for. The signal is ours from then on; a trap of the
// program's own goes to its handler, as it would without us.
#pragma once

#include <signal.h>

namespace mazurka {

// Called once for each image of a process that has patches.
void catch_patch_traps();

// Whether the program's action for SIGTRAP is kept here rather than by the kernel; and it is.
bool traps_are_caught();
void set_trap_action(const struct sigaction& action);

}  // namespace mazurka
