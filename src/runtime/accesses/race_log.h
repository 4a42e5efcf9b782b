// What the log says about a data race: both accesses, with their places; on a replay with their
// stacks and locks, too.
#pragma once

#include <cstdint>

#include "runtime/accesses/race_clocks.h"

namespace mazurka {

struct SeenAccess {
  Epoch epoch;
  uint64_t pc;
  uint32_t flags;  // AccessFlag
};

// `bytes`: of the word, as a mask.
void log_conflict(ConflictKind kind, uintptr_t word, uint64_t bytes, const SeenAccess& first,
                  const SeenAccess& second);

// The current thread stands before such an operation, at `pc`, inside a call that is annotated as
// one operation: of the function that begins at `entry`.
void log_operation_in_call(OpKind kind, uint64_t entry, uint64_t pc);

// What the log says about an access of the current thread.
LoggedAccess logged_access(const SeenAccess& access);

// An access of the current thread to the word that the plan watches.
void remember_watched(const SeenAccess& access);

}  // namespace mazurka
