#include "objects/misuse.h"

#include "objects/op_table.h"

namespace mazurka {
namespace {

Misuse of_object(const World& world, ObjectId id, ObjectKind wanted) {
  if (id == kNoObject || world.object(id).kind != wanted) return Misuse::NotInitialised;
  return world.object(id).destroyed ? Misuse::Destroyed : Misuse::None;
}

}  // namespace

Misuse misuse_of_objects(const World& world, const Operation& op, const OpRow& row) {
  if (row.object != ObjectKind::None) {
    const Misuse misuse = of_object(world, op.object, row.object);
    const bool is_error = row.may_be_removed && misuse == Misuse::Destroyed;
    if (misuse != Misuse::None && !is_error) return misuse;
  }
  return row.second == ObjectKind::None ? Misuse::None : of_object(world, op.second, row.second);
}

Misuse foretell_misuse(const World& world, ThreadId thread, const Operation& op) {
  const OpRow& row = row_of(op.kind);
  const Misuse of_objects = misuse_of_objects(world, op, row);
  return of_objects != Misuse::None ? of_objects : row.misuse(world, thread, op);
}

}  // namespace mazurka
