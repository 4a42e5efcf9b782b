// The verdict as one JSON object, for other programs. Its fields are fixed (docs/json.md).
#pragma once

#include <string>

#include "report/formats/report.h"

namespace mazurka {

std::string json_report(const Report& report);

}  // namespace mazurka
