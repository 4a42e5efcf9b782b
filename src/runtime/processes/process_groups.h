// Process groups, as far as signals need them (process_group_calls.cc).
#pragma once

#include <sys/types.h>

namespace mazurka {

// The parent of the first process: what a program sees that a shell has started.
inline constexpr pid_t kOutsidePid = 2;

pid_t own_group();
// Whether some process of this execution has left the group of the first one.
bool any_group_was_changed();

}  // namespace mazurka
