// The search `none`: every interleaving and every outcome, depth-first (VeriSoft, POPL'97, section
// 3, without its reductions). The ground truth for all other searches.
#pragma once

#include "explore/engine/search.h"

namespace mazurka {

Verdict plain_search(Program& program, const SearchOptions& options);

}  // namespace mazurka
