// What the searches may leave out without asking the models: operations that never have a second
// outcome, never block, never end a thread. In doubt true: it costs time only.
#pragma once

#include "execution/execution.h"

namespace mazurka {

bool may_have_outcomes(const Operation& op);
bool may_block(const Operation& op);
// Whether it ended other threads than its own.
bool ends_threads(const Transition& made);
// Whether it is the end of an object.
bool destroys(OpKind kind);
// Whether there may be signals to take because of it: it sends one, or makes the ends of children
// known.
bool may_bring_signals(const Operation& op);
// Whether there may have been any. Then each operation may have further outcomes, may be enabled by
// a signal and disabled by another thread that takes it, and may end its process: nothing may be
// left out.
bool uses_signals(const Execution& execution);

}  // namespace mazurka
