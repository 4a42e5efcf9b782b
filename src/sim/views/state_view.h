// A state of a run as the page shows it: each thread with what it stands before and why it cannot
// go on, each object with its value, the choices, what is wrong. Made from the run's log on the
// models, so going to another step runs nothing.
#pragma once

#include <functional>

#include "explore/trace/state_replay.h"
#include "sim/views/naming.h"

namespace mazurka {

// Requires that `at` is at most the run's length.
Json state_json(const Run& run, uint32_t at, Naming& naming);

// The states after the first steps of a run, from `first` to `last`, one after the other: each step
// is made once.
void each_state_json(const Run& run, uint32_t first, uint32_t last, Naming& naming,
                     const std::function<void(Json)>& visit);

// The choices in a state of the run.
std::vector<Choice> choices_at(const Run& run, uint32_t at, uint32_t bound);

// The step with which a schedule goes on if the choice is taken there: with what it should do, so
// that a program that does something else the next time is noticed. Nothing if that cannot happen
// there.
std::optional<PlannedStep> step_at(const Run& run, uint32_t at, Choice choice, uint32_t bound);

// What was told about the run as a whole: {run, length, end, threads, ...}.
Json run_json(const Run& run, Naming& naming);

}  // namespace mazurka
