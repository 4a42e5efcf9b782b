// Whose instruction made a system call.
#pragma once

#include <cstdint>

namespace mazurka {

// Notes where libc, the dynamic linker, the kernel's own page and the runtimes of sanitizers lie.
// Once is enough.
void find_code_of_libc();
// They call for reasons of their own; whoever else calls is the program. Safe in a signal handler.
bool is_code_of_libc(uint64_t pc);

}  // namespace mazurka
