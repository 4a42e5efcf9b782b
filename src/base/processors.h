// Which processors the tool and the programs that it runs use. A worker and its program never run
// at the same time, and waking a process on another processor costs ten times as much: so each pair
// stays on one.
#pragma once

#include <cstddef>

namespace mazurka {

// How many this process was allowed to use when it was first asked.
size_t processor_count();

// The calling kernel thread, and all that it launches, stay on the processor where it is now.
void stay_on_this_processor();
// Or on the `number`-th after it, of those that the process was allowed to use.
void move_to_processor(size_t number);

}  // namespace mazurka
