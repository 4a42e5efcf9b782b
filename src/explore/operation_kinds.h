// What the searches may leave out without asking the models: operations that never have a second
// outcome, never block, never end a thread. In doubt true: it costs time only.
#pragma once

#include "program/execution.h"

namespace mazurka {

bool may_have_outcomes(const Operation& op);
bool may_block(const Operation& op);
// Whether it ended other threads than its own.
bool ends_threads(const Transition& made);

}  // namespace mazurka
