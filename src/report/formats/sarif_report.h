// The verdict as SARIF 2.1.0 (OASIS), which code-review tools show beside the source: a result for
// each finding, and its schedule as a code flow with one thread flow for each thread.
#pragma once

#include <string>

#include "report/formats/report.h"

namespace mazurka {

std::string sarif_report(const Report& report, const std::string& version);

}  // namespace mazurka
