// Another order of the transitions that lead to a sighting, with fewer preemptions: one that the
// happens-before of the execution allows, so that no thread notices. Found on the models alone.
#pragma once

#include <vector>

#include "explore/findings/findings.h"

namespace mazurka {

// A schedule with the transitions that the sighting needs. Not always one with the fewest
// preemptions: of many orders, only the most promising are followed; empty if the execution is too
// long for that. Requires that the sighting is
// one of this execution, and shows after its first transitions.
std::vector<PlannedStep> reordered(const Execution& execution, const Sighting& sighting,
                                   uint32_t bound);

}  // namespace mazurka
