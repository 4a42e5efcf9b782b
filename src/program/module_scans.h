// Tells a running program where the modules that it has loaded have locked instructions.
#pragma once

#include "protocol/segment.h"

namespace mazurka {

// If some process of the program waits for that (Control::wanted_scan): searches the file, or
// remembers what was found there before, and lets the process go on.
void answer_scan(Segment& segment);

// The execution has ended in a loop (Ending::NeedsLoop). False: none of its instructions can be
// replaced, or all that can be are known. Else they are part of what later instances are told.
bool learn_loop(const Segment& segment);

// How many loops were learned.
uint64_t learned_loops();

}  // namespace mazurka
