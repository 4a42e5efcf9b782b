// The model of libc's random number generators: rand and random draw from one sequence that all
// threads of a process share, drand48 and its kin from another. Who draws first gets the first
// number, so the order of draws is explored. The numbers are libc's own; the model only counts
// them.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "objects/op_functions.h"
#include "objects/operation.h"

namespace mazurka {

struct Generator {
  int64_t seed = 1;    // of the sequence; -1 for a state that the caller brought along
  uint64_t drawn = 0;  // since then
};
static_assert(std::is_trivially_copyable_v<Generator>);

namespace on_generator {

// The value of a draw's effect: how many were drawn before.
ApplyFunction draw, seed;
AccessFunction accesses;
StateFunction state;

}  // namespace on_generator

}  // namespace mazurka
