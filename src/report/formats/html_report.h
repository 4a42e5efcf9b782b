// The verdict as one page for a browser, with nothing outside of it: the threads as columns,
// happens-before as arrows, the source beside, and the schedule step by step.
#pragma once

#include <string>

#include "report/formats/report.h"

namespace mazurka {

std::string html_report(const Report& report);

// The page without its data, which stands for kHtmlData (html_template.cc).
extern const char kHtmlTemplate[];
inline constexpr char kHtmlData[] = "/*data*/null";

}  // namespace mazurka
