// The search `sleep`: VeriSoft's algorithm 2 (Godefroid, POPL'97, section 4) with all enabled
// transitions as the persistent set. Each maximal trace is run to its end once; what remains are
// executions that end asleep.
#pragma once

#include "explore/engine/search.h"

namespace mazurka {

Verdict sleep_search(Program& program, const SearchOptions& options);

}  // namespace mazurka
