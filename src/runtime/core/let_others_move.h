// Standing back so that other threads can go first: what a repeated yield or sleep does, and every
// call without a model that would block the only thread that runs.
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

// A yield or sleep of the program. Invisible at first; from the second sleep or ninth yield
// without another operation in between, the thread waits until another has moved. Time passes by
// `duration_ns`, and by more and more if it is repeated again and again, so that a loop that waits
// for a deadline comes to its end. Returns whether a signal handler has interrupted it.
bool pause_briefly(int64_t duration_ns, Call call);

}  // namespace mazurka
