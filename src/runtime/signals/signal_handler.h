// Signal handlers of the runtime itself, installed past libc: their way back must lie in our own
// code, from where the kernel lets every system call through.
#pragma once

#include <signal.h>

#include <cstddef>
#include <cstdint>

namespace mazurka {

// On the signal stack, with the signal not blocked meanwhile.
void install_handler(int signal, void (*handler)(int, siginfo_t*, void*));

// The memory that our own instructions lie in.
bool own_code(uintptr_t& start, size_t& length);

}  // namespace mazurka
