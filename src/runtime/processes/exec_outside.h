// exec of a program that our runtime cannot be in: a static or setuid one.
#pragma once

#include "runtime/core/runtime.h"

namespace mazurka {

// A process of the kernel's own runs the program to its end, while this one holds the baton and
// then ends as it did: for the others it is one invisible piece. Arguments as execveat(2) has them.
// Returns an errno value if it cannot be run.
int exec_outside(int fd, const char* path, char* const* arguments, char* const* environment,
                 int flags, Call call);

}  // namespace mazurka
