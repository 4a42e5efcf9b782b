// Which files of a program tell us their memory accesses: those that were built with mazurka-cc or
// mazurka-c++.
#pragma once

#include <string>
#include <vector>

#include "program/logbook.h"

namespace mazurka {

// The names of the others, "libfoo.so, libbar.so". The C and C++ libraries are not among them: what
// they do to the program's memory is their callers' business, and what they do to their own is
// trusted.
std::string uninstrumented(const std::vector<LoadedModule>& modules);

// Whether the file was built to tell its accesses. The C and C++ libraries are not.
bool is_instrumented(const std::string& path);

}  // namespace mazurka
