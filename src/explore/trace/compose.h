// Makes transitions of C(S) of an execution's steps (schedule/composed.h).
#pragma once

#include "execution/execution.h"

namespace mazurka {

// The first step of each transition gets all its accesses, those that belong to it
// (Transition::is_hurried) get none.
void compose(Execution& execution);

}  // namespace mazurka
