#include "objects/misuse.h"

#include "objects/op_table.h"

namespace mazurka {

Misuse foretell_misuse(const World& world, ThreadId thread, const Operation& op) {
  const OpRow& row = row_of(op.kind);
  const Misuse of_objects = misuse_of_objects(world, op, row);
  return of_objects != Misuse::None ? of_objects : row.misuse(world, thread, op);
}

}  // namespace mazurka
