// Strong and branching bisimulation, by refining a partition until the states of each block have
// the same signature: the set of (action, block) that they can reach, for branching bisimulation
// after internal steps inside the block (S. Blom, S. Orzan). Only states whose signature may have
// changed are looked at again, and the largest part of a block keeps its name, so that a state's
// block has at most log n names.
//
// Branching bisimulation is the usual one, blind to divergence: loops of internal steps do not
// count.
#pragma once

#include <vector>

#include "lts/model/explicit_lts.h"

namespace mazurka::lts {

enum class Equivalence { Strong, Branching, Trace };

// The block of each state: the same number if and only if they are equivalent. Requires Strong or
// Branching.
std::vector<uint32_t> bisimulation_blocks(const ExplicitLts& lts, Equivalence equivalence);

// Requires Strong or Branching, and that both LTSs share one table of actions.
bool bisimilar(const ExplicitLts& a, const ExplicitLts& b, Equivalence equivalence);

// The least LTS that is equivalent: one state for each block that can be reached.
ExplicitLts reduce_bisimilar(const ExplicitLts& lts, Equivalence equivalence);

// The states that the initial one reaches, numbered breadth first.
ExplicitLts reachable_part(const ExplicitLts& lts);

}  // namespace mazurka::lts
