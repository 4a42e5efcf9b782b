// Standing back until other threads have moved: what a loop does that waits for them unseen, and
// every call without a model that would block the only thread that runs.
#pragma once

#include "runtime/core/runtime.h"

namespace mazurka {

// For a call that would block, to be tried again afterwards: returns when another thread has moved,
// or when nobody else could: then false.
bool let_others_move(Call call);

// The same where waiting has turned out to be in vain: returns only when another thread has moved.
// If nobody else can move, the program is deadlocked.
void block_until_others_move(Call call);

// After each of the two, if trying again has changed nothing: then it was no move, or two threads
// that wait for each other would wake each other for ever.
void tried_in_vain();

}  // namespace mazurka
