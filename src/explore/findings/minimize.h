// Makes the schedules of findings short before they are reported: fewest preemptions, then fewest
// steps. Every candidate is checked by a replay in the program itself. And finds out which step of
// it was critical.
#pragma once

#include "explore/engine/search.h"

namespace mazurka {

// Leaves alone what costs seconds to replay (divergences) or does not replay (nondeterminism).
void minimize(Program& program, const SearchOptions& options, Verdict& verdict);

}  // namespace mazurka
