// The search `wakeup`: optimal dynamic partial-order reduction with wakeup trees (Abdulla, Aronis,
// Jonsson, Sagonas, POPL'14 and JACM'17). The oracle that `optimal` is tested against: it shares
// nothing with it but happens-before and the replica, and keeps the whole tree, so it is for small
// programs.
//
// Differences to the papers. A race need not be immediate, nor be one of executed transitions: what
// a thread stands before in the end counts, and for each event e and operation c the reversed
// sequence is all of the largest set of events, without those after e, where c is enabled and
// dependent with e. So blocking operations, several outcomes and ends of processes need no rules of
// their own. And the free run after a leaf needs no sleep set: it is empty there.
#pragma once

#include "explore/engine/search.h"

namespace mazurka {

Verdict wakeup_search(Program& program, const SearchOptions& options);

}  // namespace mazurka
