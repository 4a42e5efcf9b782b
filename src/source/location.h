// Where a variable is in a stopped program: DWARF's location expressions (DWARF 5, sections 2.5
// and 2.6), evaluated.
#pragma once

#include <elfutils/libdw.h>

#include <optional>
#include <vector>

#include "source/frame_state.h"

namespace mazurka {

// In memory, or a value that is nowhere: in a register, or a constant.
struct Location {
  std::optional<uint64_t> address;
  uint64_t value = 0;
  uint32_t bit_offset = 0;  // of a bit-field, from the address on
  uint32_t bit_size = 0;    // 0: it is none
};

struct LocationContext {
  const FrameState* frame = nullptr;  // null for a global variable
  uint64_t pc = 0;                    // in the file: decides which entry of a location list counts
  uint64_t base = 0;                  // address in memory minus address in the file
  const ReadMemory* memory = nullptr;
  std::optional<Dwarf_Die> function;  // around the variable: it has the frame base
  uint64_t thread_block = 0;          // where the module's thread-local variables begin; 0: unknown
};

// Nothing if the variable was optimised out here, or its place cannot be calculated.
std::optional<Location> location_of(Dwarf_Die variable, const LocationContext& context);

}  // namespace mazurka
