// The futex system call, as syscall() gets it.
#pragma once

#include "runtime/core/runtime.h"

namespace mazurka {

// `arguments` are the six of the system call. The result is the kernel's: -errno on failure.
long futex(const long (&arguments)[6], Call call);

}  // namespace mazurka
