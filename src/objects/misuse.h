// Whether an operation would be a misuse now, told without doing it: a misuse ends the process, and
// the searches must know that before (objects/accesses.h). The models report the same when they
// apply it; accesses_test.cc compares.
#pragma once

#include "base/ids.h"
#include "objects/operation.h"

namespace mazurka {

struct World;

// Requires that the operation is enabled.
Misuse foretell_misuse(const World& world, ThreadId thread, const Operation& op);

}  // namespace mazurka
