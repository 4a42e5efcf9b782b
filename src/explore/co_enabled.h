// Which transitions may be enabled in one state: the relation of POPL'05, section 3. A race between
// two that never are cannot be reversed.
#pragma once

#include "program/execution.h"

namespace mazurka {

// Whether a state may exist in which both the transition's operation and another thread's pending
// one are enabled. When unsure: yes.
bool may_be_co_enabled(const Transition& transition, const Operation& pending);

}  // namespace mazurka
