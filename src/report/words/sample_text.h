// What a verdict says of executions that were drawn at random: how many, what they saw, and what
// may be claimed of what they did not see.
#pragma once

#include <string>
#include <vector>

#include "explore/sampling/samples.h"

namespace mazurka {

// A line each, without an end of line. `is_complete`: a search beside them missed nothing, so there
// is nothing to say of what they missed.
std::vector<std::string> sample_lines(const Samples& samples, bool is_complete);

}  // namespace mazurka
