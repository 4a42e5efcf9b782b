// The verdict as a page of one file: the simulator's, with the schedule of each finding to step
// through. It needs nothing else, so it can be kept or sent.
#pragma once

#include <string>

#include "report/formats/report.h"
#include "sim/offline/finding_runs.h"

namespace mazurka {

// `places`: those of the report's describer. `runs` may be null: then there is no output, and
// nothing to compare with.
std::string html_report(const Report& report, Places& places, FindingRuns* runs = nullptr);

}  // namespace mazurka
