// Processes of the program: real ones, all children of the fork server, each with the baton in
// turn.
#pragma once

#include "runtime/core/state.h"

namespace mazurka {

// A new process that goes on here, as fork does: its id in the parent, kNoThread in the child. An
// errno value in `error`.
ProcessId fork_process(int& error, Call call);

// Around an exec: the other threads of the process are gone, and so are the objects in its private
// memory.
void prepare_exec();
// The exec came back with an error.
void exec_failed();

// The segment, for the environment of the image that comes after an exec.
inline const char* segment_path() { return state.segment_path; }

}  // namespace mazurka
