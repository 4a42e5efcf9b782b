// System calls that the program makes by their numbers: each is the function of libc with that
// name.
#pragma once

#include "runtime/core/runtime.h"

namespace mazurka {

// As syscall() returns: -1 with errno on failure. `arguments` are six.
long do_call_of_program(long number, const long* arguments, Call call);

// Parts of it: false if it is none of theirs.
bool do_descriptor_call(long number, const long* arguments, long& result);
bool do_path_call(long number, const long* arguments, Call call, long& result);

}  // namespace mazurka
