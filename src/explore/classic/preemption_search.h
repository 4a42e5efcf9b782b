// All schedules with at most K preemptions (explore/findings/preemptions.h says what that is), and
// so every trace that has one: iterative context bounding (Musuvathi and Qadeer, PLDI'07). With
// SearchOptions::deepen K is 0, then 1, 2 and so on, until no schedule is cut any more.
//
// It is a search without reduction: a trace may have several such schedules, each of which is
// executed once, and is counted once by its hash. Sleep sets, or a reverse search that is cut where
// a schedule has more, would lose traces: of `x=1 | x=2; x=3` the trace 2, 3, 1 has a schedule
// without any preemption, but they come to it only by 2, 1, 3, which has one (bounded partial-order
// reduction, Coons, Musuvathi, McKinley, OOPSLA'13, has the same trouble).
//
// An execution goes on after its prefix with whoever moved last as long as that can: so each
// execution is within K, and none is for nothing.
#pragma once

#include "explore/engine/search.h"

namespace mazurka {

Verdict preemption_search(Program& program, const SearchOptions& options);

}  // namespace mazurka
