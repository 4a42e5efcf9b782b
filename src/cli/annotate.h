// Annotations of a program's memory (report/annotations.h), from their file to the program and into schedules.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cli/target.h"
#include "report/annotations.h"

namespace mazurka {

// Tells the program. Gives the variables; an error says what is wrong with the annotations.
Result<std::vector<AnnotatedVariable>> annotate(const Annotations& annotations, Target& target);

// Those that are taken for unshared by now, as a schedule file has them.
std::vector<std::pair<Sharing, std::string>> unshared_now(const std::vector<AnnotatedVariable>& variables, const Target& target);

}  // namespace mazurka
