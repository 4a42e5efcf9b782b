// Whether an operation is a misuse: its objects are not what they should be, or doing it to them is
// undefined. A misuse ends the process, so the searches must know it before (objects/accesses.h).
#pragma once

#include "base/ids.h"
#include "objects/op_row.h"
#include "objects/world.h"

namespace mazurka {

// The object is missing, of another kind, or destroyed.
inline Misuse misuse_of(const World& world, ObjectId id, ObjectKind wanted) {
  if (id == kNoObject || world.object(id).kind != wanted) return Misuse::NotInitialised;
  return world.object(id).destroyed ? Misuse::Destroyed : Misuse::None;
}

// Of an operation's objects alone. What waits for a wake-up does not come back to what it waited
// on, which may be gone by then; so its row names no object. Requires that the row is the
// operation's.
[[gnu::always_inline]] inline Misuse misuse_of_objects(const World& world, const Operation& op,
                                                       const OpRow& row) {
  if (row.object != ObjectKind::None) {
    const Misuse misuse = misuse_of(world, op.object, row.object);
    const bool is_error = row.may_be_removed && misuse == Misuse::Destroyed;
    if (misuse != Misuse::None && !is_error) return misuse;
  }
  return row.second == ObjectKind::None ? Misuse::None : misuse_of(world, op.second, row.second);
}

// All of it, told without doing it. The models report the same when they apply it; accesses_test.cc
// compares. Requires that the operation is enabled.
Misuse foretell_misuse(const World& world, ThreadId thread, const Operation& op);

}  // namespace mazurka
