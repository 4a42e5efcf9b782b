// The search `persistent`: VeriSoft's algorithm 2 (POPL'97, figure 3), persistent sets and sleep
// sets together. The persistent sets come from learned footprints (persistent_set.h).
//
// An execution that shows a thread outside of its assumed footprint makes the search start again.
// The last round is sound: cut the program at its first operation outside of the assumed
// footprints, and they hold in what is left; a search that is persistent there reaches each such
// cut, as it reaches each failed assertion, so where none is found there is none.
#pragma once

#include "explore/engine/search.h"

namespace mazurka {

Verdict persistent_search(Program& program, const SearchOptions& options);

}  // namespace mazurka
