// The search `auto`: `optimal`, with samples in between as long as it is not through.
//
// `optimal` goes first, for as many executions as one worker makes before others help it: a program
// that it ends by then is searched as if there were nothing else. Then samplers and `optimal` take
// turns, whose lengths are counts of executions and no times. Turns grow. How many samples there
// are in a turn goes by how large the search is (estimate/known_size.h): few if it is soon through,
// four for each other execution if it never will be. Both see all that the program does, but only
// `optimal` says when nothing is left; samples neither add to its counts nor cost it anything.
#pragma once

#include "explore/engine/search.h"

namespace mazurka {

Verdict auto_search(Program& program, const SearchOptions& options);

}  // namespace mazurka
