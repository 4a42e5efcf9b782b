// Whether an operation is a misuse: its objects are not what they should be, or doing it to them is
// undefined. A misuse ends the process, so the searches must know it before (objects/accesses.h).
#pragma once

#include "base/ids.h"
#include "objects/object_kind.h"
#include "objects/operation.h"

namespace mazurka {

struct World;
struct OpRow;

// Of an operation's objects alone: one is missing, of another kind, or destroyed. What waits for a
// wake-up does not come back to what it waited on, which may be gone by then; so its row names no
// object. Requires that the row is the operation's.
Misuse misuse_of_objects(const World& world, const Operation& op, const OpRow& row);

// All of it, told without doing it. The models report the same when they apply it; accesses_test.cc
// compares. Requires that the operation is enabled.
Misuse foretell_misuse(const World& world, ThreadId thread, const Operation& op);

}  // namespace mazurka
