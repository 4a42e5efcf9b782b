// The signals of a thread, in words: what is pending for it, what it blocks, and what its process
// does with which.
#pragma once

#include <string>
#include <vector>

#include "base/ids.h"
#include "objects/namer.h"

namespace mazurka {

struct World;

// A sentence each; none where there is nothing to say. What holds for all threads of a process is
// said of its first one.
std::vector<std::string> signals_of(const World& world, ThreadId thread, const Namer& names);

}  // namespace mazurka
