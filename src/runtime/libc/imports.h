// What instrumented modules import from the C and C++ libraries. When such a module is met, the
// places where it keeps the addresses of what it imports are changed: functions with a row are ours
// from then on; others that are not known to leave memory alone go by a stub that names them
// when they are called while other threads exist. Other modules keep theirs.
#pragma once

#include <cstdint>

namespace mazurka {

// The modules that are there by now. The dynamic linker has bound all their imports (LD_BIND_NOW).
void see_imports();

// The function was called, and may have done anything to memory.
void name_unknown_accesses(const char* name, void* caller);

// Whether the function is known to leave the program's memory alone, or is handled elsewhere.
bool is_harmless_import(const char* name);

// How a call by a stub looks: the registers with its arguments.
struct StubFrame {
  uint64_t rdi, rsi, rdx, rcx, r8, r9;
};
// What a member function of the C++ library does to its object and to what it is given. False: it
// is not known.
bool apply_library_rule(const char* symbol, const StubFrame& frame, void* caller);

}  // namespace mazurka
