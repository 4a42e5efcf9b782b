// Runs a counterexample again, by the definitions alone: nothing of the searches, their tables or
// packed states is used. A counterexample that fails here is never shown.
#pragma once

#include "lts/model/tester.h"
#include "lts/verify/violation.h"

namespace mazurka::lts {

bool replays(const Violation& violation, const Network& system, const Tester& tester);

}  // namespace mazurka::lts
