// Places where a debugger stops, for replay under gdb.
#pragma once

#include <cstdint>

namespace mazurka {

// A step of the schedule is about to happen.
void note_step(uint32_t position);
// The execution ends here: its finding is before our eyes.
void stop_here();

}  // namespace mazurka
