// A program that stands still, as the debug information needs it to know its variables.
#pragma once

#include <vector>

#include "program/standing_program.h"
#include "report/words/object_names.h"
#include "source/frame_state.h"

namespace mazurka {

// Innermost first. A frame's canonical frame address is its caller's stack pointer.
std::vector<FrameState> frame_states(const std::vector<LookFrame>& frames);

// With all threads that stand before an operation. Valid while the program stands.
StandingState state_of(const StandingProgram& program);

// `look` runs a plan and holds the program still after it.
LookAt look_with(std::function<Result<void>(const Plan&, const Looker&)> look);

}  // namespace mazurka
