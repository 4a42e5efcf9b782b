// exec with our runtime in the new image, for the exec family and for what is made of fork and
// exec.
#pragma once

#include "runtime/core/runtime.h"

namespace mazurka {

// Like execve(2), but returns an errno value where that fails; everything is as it was then.
int exec_program(const char* path, char* const* arguments, char* const* environment, Call call);

// Like execvpe: looks along PATH where `file` has no slash, and gives scripts without #! to the
// shell.
int exec_along_path(const char* file, char* const* arguments, char* const* environment, Call call);

// What exec_along_path (or exec_program, if not `search`) would fail with, as far as one can tell
// from outside; or 0.
int exec_would_fail(const char* file, bool search);

}  // namespace mazurka
