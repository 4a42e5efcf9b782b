#include "kinds/variable/variable.h"

#include <errno.h>

#include "objects/clock.h"

namespace mazurka {
namespace {

// Unsigned: overflow wraps around.
uint64_t updated(uint64_t old, Update how, uint64_t operand) {
  switch (how) {
    case Update::Exchange:
      return operand;
    case Update::Add:
      return old + operand;
    case Update::And:
      return old & operand;
    case Update::Or:
      return old | operand;
    case Update::Xor:
      return old ^ operand;
    case Update::Nand:
      return ~(old & operand);
  }
  return operand;
}

}  // namespace

void Variable::set(int64_t wanted) {
  const int64_t fitting = fit(wanted);
  if (fitting == value) return;
  value = fitting;
  ++changes;
}

Effect Variable::apply(const Operation& op) {
  const int64_t old = value;
  switch (op.kind) {
    case OpKind::VarStore:
      if (op.flags & kPlain) {
        ++changes;  // whatever it is: who waits for another value must look
      } else {
        set(op.value);
      }
      return {};
    case OpKind::VarUpdate:
      set(static_cast<int64_t>(
          updated(static_cast<uint64_t>(old), op.update, static_cast<uint64_t>(op.value))));
      return {.value = old};
    case OpKind::VarCompareExchange:
      if (old != fit(op.value)) return {.error = EAGAIN, .value = old};
      set(op.desired);
      return {.value = old};
    default:
      return {.value = old};
  }
}

Outcomes variable_enabled(const World& world, ThreadId, const Operation& op) {
  if ((op.flags & kSpinning) == 0) return Outcomes::one();
  for (uint32_t i = 0; i < op.part_count; ++i) {
    const SemPart& part = world.parts[op.part_begin + i];
    const auto known = static_cast<uint32_t>(part.delta);
    if (part.undo == 0 && world.object(part.semaphore).variable.changes != known)
      return Outcomes::one();
  }
  return Outcomes::none();
}

Effect variable_apply(World& world, ThreadId thread, const Operation& op) {
  ThreadState& me = world.thread(thread);
  Object& object = world.object(op.object);
  const bool writes = object.variable.is_written_by(op);
  see(me, object);
  for (uint32_t i = 0; i < op.part_count; ++i)
    see(me, world.object(world.parts[op.part_begin + i].semaphore));
  if (writes) {
    show(me, object);
    for (uint32_t i = 0; i < op.part_count; ++i) {
      const SemPart& part = world.parts[op.part_begin + i];
      if (part.undo == 0) continue;
      Object& overlapping = world.object(part.semaphore);
      show(me, overlapping);
      if (op.flags & kPlain) ++overlapping.variable.changes;  // as in Variable::apply
    }
  }
  return object.variable.apply(op);
}

}  // namespace mazurka
