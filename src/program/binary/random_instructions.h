// Instructions by which a file's code asks the processor for random numbers (rdrand, rdseed): they
// cannot be trapped, and what the program does with them is not the same in two runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "execution/program.h"
#include "program/logbook.h"

namespace mazurka {

// The address of the first one, as in the file; 0: there is none. The C and C++ libraries are not
// searched: what they offer of it is interposed.
uint64_t first_random_instruction(const std::string& path);

// One for each module that has some.
std::vector<UnmodelledCall> random_instructions(const std::vector<LoadedModule>& modules);

}  // namespace mazurka
