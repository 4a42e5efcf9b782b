#include "objects/variable.h"

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

int64_t Variable::fit(int64_t wanted) const {
  if (size >= sizeof(int64_t)) return wanted;
  const uint64_t mask = (uint64_t{1} << (8 * size)) - 1;
  return static_cast<int64_t>(static_cast<uint64_t>(wanted) & mask);
}

bool Variable::is_written_by(const Operation& op) const {
  if (op.kind == OpKind::VarCompareExchange) return value == fit(op.value);
  return op.kind != OpKind::VarLoad;
}

Effect Variable::apply(const Operation& op) {
  const int64_t old = value;
  switch (op.kind) {
    case OpKind::VarStore:
      value = fit(op.value);
      return {};
    case OpKind::VarUpdate:
      value = fit(static_cast<int64_t>(
          updated(static_cast<uint64_t>(old), op.update, static_cast<uint64_t>(op.value))));
      return {.value = old};
    case OpKind::VarCompareExchange:
      if (old != fit(op.value)) return {.error = EAGAIN, .value = old};
      value = fit(op.desired);
      return {.value = old};
    default:
      return {.value = old};
  }
}

Outcomes variable_enabled(const World&, ThreadId, const Operation&) { return Outcomes::one(); }

Effect variable_apply(World& world, ThreadId thread, const Operation& op) {
  ThreadState& me = world.thread(thread);
  Object& object = world.object(op.object);
  see(me, object);
  if (object.variable.is_written_by(op)) show(me, object);
  return object.variable.apply(op);
}

}  // namespace mazurka
