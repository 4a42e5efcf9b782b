// The verdict for a person at a terminal.
#pragma once

#include <string>

#include "explore/findings/explanation.h"
#include "report/formats/report.h"
#include "report/words/text_style.h"

namespace mazurka {

// The verdict with what it is worth, then each finding: what happened, where each blocked or
// failing thread stands and for whom it waits, the schedule, and the command that replays it.
std::string text_report(const Report& report, const TextStyle& style = {});

// One finding of it.
std::string finding_report(const Finding& finding, const std::string& schedule,
                           const Report& report, const TextStyle& style);

// Only the line with the verdict, and why it is not complete.
std::string verdict_text(const Verdict& verdict, const TextStyle& style = {});

// Only its schedule: how long it is, its steps, and what the marks beside them mean.
std::string schedule_text(const Finding& finding, const Explanation& explanation,
                          const Describer& describer, const TextStyle& style);

}  // namespace mazurka
