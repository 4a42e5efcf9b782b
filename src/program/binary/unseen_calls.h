// Functions of the C and C++ libraries that an instrumented file of the program calls, and that
// read or write memory which they are given: the libraries are not instrumented, so these accesses
// are not seen. Functions whose accesses count as their callers' (runtime/libc) are none of them.
#pragma once

#include <string>
#include <vector>

#include "program/logbook.h"

namespace mazurka {

// Their names, "qsort", "std::map", each once, by name. Of what the files' symbols tell: not
// whether the call was ever made.
std::vector<std::string> unseen_calls(const std::vector<LoadedModule>& modules);

// The name for the function of this symbol; empty if all that it does to the program's memory is
// seen, or if it does nothing to it.
std::string unseen_call(const std::string& symbol);

}  // namespace mazurka
