// From functions of which the user says something to pieces of code, as the runtime wants them.
#pragma once

#include <cstdint>
#include <vector>

#include "execution/execution.h"
#include "source/source_map.h"

namespace mazurka {

// What is said about a function.
struct FunctionClaim {
  Granularity granularity = Granularity::Fields;
  Sharing allocates = Sharing::Shared;
  Sharing starts = Sharing::Shared;
  uint32_t name = 0;
};

// By address, none overlapping another. `claims`: for each of the functions. What a function does
// that was inlined into another is a part of that one's calls.
std::vector<AnnotatedCode> annotated_code(const std::vector<FunctionCode>& functions,
                                          std::vector<FunctionClaim> claims);

}  // namespace mazurka
