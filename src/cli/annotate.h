// Annotations of a program (report/input/annotations.h), from their file to the program and into
// schedules.
#pragma once

#include <vector>

#include "base/result.h"
#include "cli/target.h"
#include "report/input/annotations.h"

namespace mazurka {

// What the program's own source says (mz_atomic in mazurka.h).
std::vector<AnnotationName> marked_functions(const Target& target);

// Tells the program. Gives what they are of; an error says what is wrong with the annotations.
Result<Annotated> annotate(const Annotations& annotations, Target& target);

// Functions whose calls are said to commute: nobody checks that.
std::vector<std::string> commuting_functions(const Annotated& annotated);

// As a schedule file has them, without what was only tentative and has been given up.
std::vector<AnnotationName> annotations_now(const Annotated& annotated, const Target& target);

}  // namespace mazurka
