// Which step is taken next. The thread that holds the baton picks it by the plan, does it on the
// models and writes the log, all inside the program: so one execution costs the tool one hand-over,
// not two a step. baton.h then lets the thread that was picked go on.
#pragma once

#include "base/ids.h"

namespace mazurka {

// Picks the next transition, logs and applies it. Returns who goes on. Ends the execution (and this
// process) if there is none. Requires an execution, and that every thread stands before an
// operation or at exit.
ThreadId pick();

}  // namespace mazurka
