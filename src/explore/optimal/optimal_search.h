// The search `optimal`: one execution for each Mazurkiewicz trace, by reverse search.
//
// Every maximal trace but the first has one parent, computed from the trace itself: it puts back
// the last reversal, a block of transitions that was moved before a default step that they depend
// on. The search follows this tree from its root, so it keeps no tree: a task is a schedule and its
// blocks, tasks share nothing, and any order of them is right. Reverse search is Avis and Fukuda's;
// the tree is our own construction, close to the parsimonious optimality of POP (Abdulla and
// others, CAV'24) and to TruSt (POPL'22). Differences to optimal DPOR (POPL'14, JACM'17): no wakeup
// tree, and operations may block, have several outcomes, end processes.
// Where transitions of readers commute, or one operation waits for several objects, an execution
// may run into sleeping transitions only (schedule/free_run.h) and counts as blocked; elsewhere
// that never happens.
#pragma once

#include "explore/engine/search.h"

namespace mazurka {

Verdict optimal_search(Program& program, const SearchOptions& options);

}  // namespace mazurka
