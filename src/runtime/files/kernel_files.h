// Files that the kernel writes anew whenever somebody reads them: load, memory in use, random
// numbers. What a program reads there is not the same in two executions.
#pragma once

#include "runtime/core/runtime.h"

namespace mazurka {

// To be called before the file is opened. Names it, unless it is known to stay as it is.
void name_changing_file(const char* path, Call call);

// For the test. Requires a path below /proc or /sys.
bool stays_as_it_is(const char* path);

}  // namespace mazurka
