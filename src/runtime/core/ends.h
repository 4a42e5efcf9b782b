// The end of an execution from inside the program. runtime_error() of runtime.h is one of its ways.
#pragma once

#include "protocol/log_records.h"

namespace mazurka {

// Back to the server, if executions are reset in place; otherwise the process is gone, and the
// server sees that. Requires an ending other than None.
[[noreturn]] void end_execution(Ending ending);

}  // namespace mazurka
