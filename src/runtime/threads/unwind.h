// Leaving a thread from the middle of its code: pthread_exit runs C++ destructors and cleanup
// handlers on the way out.
#pragma once

#include "protocol/look.h"

namespace mazurka {

// Unwinds the current thread's whole stack, then calls `finish`.
[[noreturn]] void unwind_thread(void (*finish)());

// Loads what unwinding and call stacks need, while the program has not begun. The dynamic linker
// allocates then.
void prepare_unwinding();

// The frames from the one that `pc` belongs to outwards. How many there are, at most `most`.
// Nothing is allocated.
int frames_with_registers(uint64_t pc, LookFrame* out, int most);

}  // namespace mazurka
