// Tells a running program where the modules that it has loaded have locked instructions.
#pragma once

#include <cstdint>
#include <vector>

#include "execution/seen_access.h"
#include "protocol/segment.h"

namespace mazurka {

// If some process of the program waits for that (Control::wanted_scan): searches the file, or
// remembers what was found there before, and lets the process go on.
void answer_scan(Segment& segment);

// The execution has ended in a loop (Ending::NeedsLoop). False: none of its instructions can be
// replaced, or all that can be are known. Else they are part of what later instances are told.
bool learn_loop(const Segment& segment);

// Executions have come to plain accesses that are not known yet: they are part of what later
// instances are told. False: there were none. `in_vain`: those of them, in the program's memory,
// that cannot be replaced.
bool learn_accesses(Segment& segment, std::vector<uint64_t>& in_vain);

// Plain accesses that were learned, for those who run the program later; in order.
std::vector<SeenAccess> seen_accesses();
void see_accesses(const std::vector<SeenAccess>& accesses);

// How much was learned.
uint64_t learned_sites();

}  // namespace mazurka
