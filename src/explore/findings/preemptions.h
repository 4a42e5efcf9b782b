// Preemptions: the steps of a schedule that take the turn from a thread that could have gone on
// (iterative context bounding, Musuvathi and Qadeer, PLDI'07). The fewer there are, the easier a
// schedule is to understand. In the beginning it is the first thread's turn.
#pragma once

#include <optional>
#include <vector>

#include "execution/execution.h"

namespace mazurka {

// Whether a step of another thread would be a preemption, in a state with these choices after a
// step of `last`.
bool can_go_on(ThreadId last, const std::vector<Choice>& enabled);

// For each of the first `length` transitions, whether it is a preemption. What was enabled is
// found out on the models, so it need not be logged. Nothing if the execution was not what they
// say.
std::optional<std::vector<bool>> preemptions_of(const Execution& execution, size_t length,
                                                uint32_t bound);

}  // namespace mazurka
