// What two executions have in common. Those of a search come depth first, so neighbours share half
// of their transitions, and what was found out about these (clocks, states) need not be found
// again.
#pragma once

#include <cstdint>
#include <optional>

#include "execution/execution.h"

namespace mazurka {

// How many of their first choices are the same. At least one transition of each is not among them:
// the last one may count for more than itself.
uint32_t common_choices(const Execution& a, const Execution& b);

// How many of their first transitions are the same in all that an analysis looks at; of those with
// parts, none. As above, not all of either. Nothing if the two begin in different states: they have
// not the same threads, or some thread stands before another operation after these transitions.
std::optional<uint32_t> common_prefix(const Execution& a, const Execution& b);

}  // namespace mazurka
