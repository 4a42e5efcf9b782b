// What conditions, futexes and barriers have in common: threads that wait to be woken
// (ThreadState::waiting_on).
#pragma once

#include "objects/op_functions.h"

namespace mazurka {

// Outcomes of a wait that may time out.
inline constexpr Outcome kWoken = 0;
inline constexpr Outcome kTimedOut = 1;

namespace on_waiters {

// The outcome is whom it wakes, one of those who wait on the object, or kNobody.
EnabledFunction wake_one_enabled;

// What waking accesses beside the object. For what is possible, also those who have been woken
// since.
void wakes_all(const Asked& asked, AccessList& out);
// The one that the outcome says.
void wakes_one(const Asked& asked, AccessList& out);
// As many as `value` says.
void wakes_longest_waiting(const Asked& asked, AccessList& out);

// Conditions and futexes alike.
CommuteFunction commute;

}  // namespace on_waiters

}  // namespace mazurka
