// The verdict as JUnit XML, which CI servers count and show: a test case for each kind of finding
// that was looked for, and one that says whether the search was complete.
#pragma once

#include <string>

#include "report/formats/report.h"

namespace mazurka {

std::string junit_report(const Report& report);

}  // namespace mazurka
