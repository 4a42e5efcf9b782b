// Tells a running program where the modules that it has loaded have locked instructions.
#pragma once

#include "protocol/segment.h"

namespace mazurka {

// If some process of the program waits for that (Control::wanted_scan): searches the file, or
// remembers what was found there before, and lets the process go on.
void answer_scan(Segment& segment);

}  // namespace mazurka
