// Two adjacent steps in the other order: the program is run that way, and what comes of it is
// compared.
#pragma once

#include "sim/views/naming.h"

namespace mazurka {

// Of step `first` and the one after it. The answer says whether they are independent ("same"), what
// else they are
// ("possible", a sentence "why"), what changes ("changes"), and the run with the other order
// ("other"). Requires that there are both steps.
Result<Json> swap_steps(const Run& run, uint32_t first, Runs& runs, LiveNaming& naming);

}  // namespace mazurka
