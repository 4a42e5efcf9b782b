// Leaving a thread from the middle of its code: pthread_exit runs C++ destructors and cleanup handlers on the way out.
#pragma once

namespace mazurka {

// Unwinds the current thread's whole stack, then calls `finish`.
[[noreturn]] void unwind_thread(void (*finish)());

// Loads what unwinding and call stacks need, while the program has not begun. The dynamic linker allocates then.
void prepare_unwinding();

}  // namespace mazurka
