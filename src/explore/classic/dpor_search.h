// The search `dpor`: dynamic partial-order reduction (Flanagan and Godefroid, POPL'05, figure 3)
// with sleep sets, as their addendum corrects lines 5 and 7.
//
// Where we differ. A thread's operation may have several outcomes: a thread in a backtrack set is
// explored with each of them that is awake. A pending operation counts as dependent with every
// result it may have, also that of a thread whose process was ended by another one. Semaphore posts
// commute, so whether a post and a wait may be co-enabled is no matter of the value alone: other
// posts might have come first (enabled_without.h). Line 3 looks at every thread in every state;
// after a transition only those that it concerns can have a new answer.
#pragma once

#include "explore/engine/search.h"

namespace mazurka {

Verdict dpor_search(Program& program, const SearchOptions& options);

}  // namespace mazurka
