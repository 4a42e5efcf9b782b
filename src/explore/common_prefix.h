// What two executions have in common. Those of a search come depth first, so neighbours share half of their transitions, and what was
// found out about these (clocks, masks, states) need not be found again.
#pragma once

#include <cstdint>

#include "program/execution.h"

namespace mazurka {

// How many of their first choices are the same. At least one transition of each is not among them: the last one may count for
// more than itself.
uint32_t common_choices(const Execution& a, const Execution& b);

// How many of their first transitions are the same in all that an analysis looks at; of those with parts, none. 0 if the two have
// not the same threads, or if some thread stands before another operation after these transitions. As above, not all of either.
uint32_t common_prefix(const Execution& a, const Execution& b);

}  // namespace mazurka
