// Where the functions of a file lie: from its unwind information, and from its symbols where it has
// none. Code is decoded from the start of a function on; anywhere else one cannot be sure where an
// instruction begins.
#pragma once

#include <cstdint>
#include <vector>

#include "program/binary/elf_file.h"

namespace mazurka {

struct FunctionRange {
  uint64_t begin = 0;  // addresses as in the file
  uint64_t end = 0;
  bool has_landing_pads = false;  // exceptions may lead into its middle
};

// By `begin`; none overlap.
std::vector<FunctionRange> function_ranges(const ElfFile& file);

}  // namespace mazurka
