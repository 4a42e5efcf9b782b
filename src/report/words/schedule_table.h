// A schedule for a person: the threads in columns, a line for each step, its place in the source
// beside it. Where there is no room for columns, the thread stands before its step.
#pragma once

#include <string>

#include "explore/findings/explanation.h"
#include "report/words/describer.h"
#include "report/words/text_style.h"

namespace mazurka {

// Each line is indented by two columns. Of steps that do not matter only their number is shown,
// unless the style is full. What the program wrote stands below the step in which it did, if the
// execution has it.
std::string schedule_table(const Finding& finding, const Explanation& explanation,
                           const Describer& describer, const TextStyle& style);

// What the program wrote, below a step.
std::string output_lines(const std::string& output);

}  // namespace mazurka
