// Objects of libc, named by the memory they live in.
#pragma once

#include "runtime/state.h"

namespace mazurka {

// In the child, right after fork: the objects in private memory are copies of the parent's.
void copy_objects_for_fork(ProcessId parent, ThreadId forking, ThreadId child);

}  // namespace mazurka
