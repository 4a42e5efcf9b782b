// Runs two searches of one program and compares what they found: whether the reduction that a user
// relies on lost anything on this program. `mazurka check --compare=none`.
#pragma once

#include <string>

#include "explore/engine/search.h"

namespace mazurka {

// The verdict of the search that the options name, with the comparison in Verdict::compared, and
// with those findings that only the other search has. Both searches look for everything. An error
// means that there is no search of one of the names.
Result<Verdict> explore_and_compare(Program& program, const SearchOptions& options,
                                    const std::string& other);

}  // namespace mazurka
