// The searches `random`, `pct`, `pos`, `surw` and `lag`: executions drawn at random, for programs
// that are too large to finish. They end where the user says, or after a hundred thousand.
#pragma once

#include "explore/engine/search.h"

namespace mazurka {

Verdict random_search(Program& program, const SearchOptions& options);
Verdict pct_search(Program& program, const SearchOptions& options);
Verdict pos_search(Program& program, const SearchOptions& options);
Verdict surw_search(Program& program, const SearchOptions& options);
Verdict lag_search(Program& program, const SearchOptions& options);

}  // namespace mazurka
