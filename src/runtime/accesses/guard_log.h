// For --discipline=strict: which locks protect memory in this execution. Whether there is one that
// does in all executions is for the tool to say (explore/findings/strict_discipline.h).
#pragma once

#include <cstdint>

#include "runtime/accesses/race_log.h"
#include "runtime/accesses/seen_memory.h"
#include "runtime/core/state.h"

namespace mazurka {

inline bool guards_are_logged() {
  return static_cast<Discipline>(segment().control.discipline) == Discipline::Strict;
}

// The byte's locks are these, as of this access of the current thread. Requires that there are any.
void log_guard(uintptr_t byte, const LockSet& locks, const SeenAccess& access);

}  // namespace mazurka
