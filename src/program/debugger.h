// Replay under gdb: the program is gdb's own child, with one kernel thread per thread and no fork
// server between them, so that what the user sees is an ordinary program that stops where the
// finding is.
#pragma once

#include "base/result.h"
#include "program/launcher.h"

namespace mazurka {

// Runs gdb until its user leaves it. Requires that the segment holds the plan. `arguments` are
// gdb's own.
Result<void> run_debugger(const LaunchOptions& options, SharedSegment& segment,
                          const std::vector<std::string>& arguments);

}  // namespace mazurka
