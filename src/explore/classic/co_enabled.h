// Which transitions may be enabled in one state: the relation of POPL'05, section 3. A race between
// two that never are cannot be reversed.
#pragma once

#include "execution/execution.h"

namespace mazurka {

// Whether a state may exist in which both the transition's operation and the pending one of another
// thread are enabled. When unsure: yes.
bool may_be_co_enabled(const Transition& transition, ThreadId thread, const Operation& pending);

}  // namespace mazurka
