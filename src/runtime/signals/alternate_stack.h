// sigaltstack: each thread has its own, whatever the kernel knows. The kernel's one is the
// runtime's, for all threads of a process (core/crash.cc); no handler of the program's runs on it.
#pragma once

#include <signal.h>

#include <cstdint>

namespace mazurka {

using SignalFunction = void (*)(int, siginfo_t*, void*);

// Calls the handler, on the current thread's alternate stack if there is one and it is not on it
// already.
void call_on_alternate_stack(SignalFunction handler, int signal, siginfo_t* info, void* context);

// Whether it is an address of the alternate stack of the current thread.
bool is_on_alternate_stack(uint64_t address);

// In a handler that the kernel called on the runtime's signal stack: goes on in the program's, on
// the stack where it would have been called.
void move_to_alternate_stack(SignalFunction handler, int signal, siginfo_t* info, void* context);

}  // namespace mazurka
