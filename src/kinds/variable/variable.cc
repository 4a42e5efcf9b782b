#include <errno.h>

#include "kinds/variable/update.h"
#include "kinds/variable/variable_steps.h"
#include "objects/access_mask.h"
#include "objects/kind_row.h"
#include "objects/op_row.h"
#include "objects/state_sink.h"

namespace mazurka {
void Variable::set(int64_t wanted) {
  const int64_t fitting = fit(wanted);
  if (fitting == value) return;
  value = fitting;
  ++changes;
}

Effect Variable::apply(const Operation& op) {
  const int64_t old = value;
  if (op.kind == OpKind::VarLoad) return {.value = old};
  if (op.kind == OpKind::VarStore) {
    if (op.flags & kPlain) {
      ++changes;  // whatever it is: who waits for another value must look
    } else {
      set(op.value);
    }
    return {};
  }
  if (op.kind == OpKind::VarUpdate) {
    set(static_cast<int64_t>(
        updated(static_cast<uint64_t>(old), op.update, static_cast<uint64_t>(op.value))));
  }
  if (op.kind == OpKind::VarCompareExchange) {
    if (old != fit(op.value)) return {.error = EAGAIN, .value = old};
    set(op.desired);
  }
  return {.value = old};
}

namespace on_variable {

// --- accesses

namespace {

bool mentions(const Mentioned& mentioned, Mode mode, AccessMask& mask) {
  mask.add(object_resource(mentioned.op.object), mode);
  for (uint32_t i = 0; i < mentioned.part_count; ++i) {
    const OpPart& part = mentioned.parts[i];
    mask.add(object_resource(part.object), part.variable.same_bytes ? mode : Mode::Read);
  }
  return true;
}

bool is_on_one_variable(const Operation& op) {
  return is_on_variable(op.kind) && op.part_count == 0;
}

}  // namespace

bool load_mentions(const Mentioned& mentioned, AccessMask& mask) {
  return mentions(mentioned, Mode::Read, mask);
}

bool write_mentions(const Mentioned& mentioned, AccessMask& mask) {
  return mentions(mentioned, Mode::Write, mask);
}

// Both orders are tried out.
bool commute(const World& world, ObjectId id, const Party& x, const Party& y) {
  if (!is_on_one_variable(x.op) || !is_on_one_variable(y.op)) return false;
  const auto alike = [](const Effect& a, const Effect& b) {
    return a.error == b.error && a.value == b.value;
  };
  Variable x_first = world.object(id).variable;
  const Effect x_now = x_first.apply(x.op);
  const Effect y_after = x_first.apply(y.op);
  Variable y_first = world.object(id).variable;
  const Effect y_now = y_first.apply(y.op);
  const Effect x_after = y_first.apply(x.op);
  return alike(x_now, x_after) && alike(y_now, y_after) && x_first.value == y_first.value &&
         x_first.changes == y_first.changes;
}

void state(const World& world, ObjectId id, StateSink& sink) {
  sink.add({world.object(id).variable.value});
}

}  // namespace on_variable

}  // namespace mazurka
