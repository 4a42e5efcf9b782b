// The verdict for a person at a terminal.
#pragma once

#include <string>

#include "report/report.h"
#include "report/text_style.h"

namespace mazurka {

// The verdict with what it is worth, then each finding: what happened, where each blocked or
// failing thread stands and for whom it waits, the schedule, and the command that replays it.
std::string text_report(const Report& report, const TextStyle& style = {});

// One finding of it.
std::string finding_report(const Finding& finding, const std::string& schedule,
                           const Report& report, const TextStyle& style);

// Only the line with the verdict, and why it is not complete.
std::string verdict_text(const Verdict& verdict, const TextStyle& style = {});

// One line of a schedule: "   3  T0.1    lock forks[1]    philosophers.c:12 in eat"
std::string step_line(size_t number, const Transition& transition, const Describer& describer);

// Where each blocked or failing thread stands, a line each.
std::string culprit_lines(const Finding& finding, const Describer& describer,
                          const TextStyle& style = {});

}  // namespace mazurka
