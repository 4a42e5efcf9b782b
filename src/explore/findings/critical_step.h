// The critical step of a schedule: the last choice from which the error could still be avoided.
// After it, however the program goes on, something is wrong.
#pragma once

#include <optional>

#include "explore/findings/minimize_budget.h"
#include "explore/findings/sighting_reader.h"

namespace mazurka {

// Its place in the finding's schedule; nothing if that could not be found out within the budget, or
// there is none because the error is certain from the start.
std::optional<uint32_t> critical_step(Program& program, const Limits& limits,
                                      const Finding& finding, SightingReader& reader,
                                      MinimizeBudget& budget);

}  // namespace mazurka
