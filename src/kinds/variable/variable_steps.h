// Operations on variables, which programs do most (objects/frequent.h): here, so that the compiler
// can put them in place. The rest of the model is in variable.cc.
#pragma once

#include "kinds/variable/variable.h"
#include "objects/asked.h"
#include "objects/clock.h"

namespace mazurka::on_variable {

inline Outcomes enabled(const World& world, ThreadId, const Operation& op) {
  if ((op.flags & kSpinning) == 0) return Outcomes::one();
  for (uint32_t i = 0; i < op.part_count; ++i) {
    const OpPart& part = world.parts[op.part_begin + i];
    const auto known = part.variable.known;
    if (!part.variable.same_bytes && world.object(part.object).variable.changes != known)
      return Outcomes::one();
  }
  return Outcomes::none();
}

inline Effect apply(World& world, ThreadId thread, const Operation& op, Outcome) {
  ThreadState& me = world.thread(thread);
  Object& object = world.object(op.object);
  const bool writes = object.variable.is_written_by(op);
  see(me, object);
  for (uint32_t i = 0; i < op.part_count; ++i)
    see(me, world.object(world.parts[op.part_begin + i].object));
  if (writes) {
    show(me, object);
    for (uint32_t i = 0; i < op.part_count; ++i) {
      const OpPart& part = world.parts[op.part_begin + i];
      if (!part.variable.same_bytes) continue;
      Object& overlapping = world.object(part.object);
      show(me, overlapping);
      if (op.flags & kPlain) ++overlapping.variable.changes;  // as in Variable::apply
    }
  }
  return object.variable.apply(op);
}

inline void accesses(const Asked& asked, AccessList& out) {
  const Operation& op = asked.op;
  const bool may_write = asked.possible && op.kind == OpKind::VarCompareExchange;
  const bool writes = may_write || asked.world.object(op.object).variable.is_written_by(op);
  out.add_new(object_resource(op.object),
              writes ? Mode::Write : Mode::Read);  // a misuse would not come here
  for (uint32_t i = 0; i < op.part_count; ++i) {
    const OpPart& part = asked.part(i);
    const bool same_bytes = part.variable.same_bytes;
    out.add(object_resource(part.object), writes && same_bytes ? Mode::Write : Mode::Read);
  }
}

}  // namespace mazurka::on_variable
