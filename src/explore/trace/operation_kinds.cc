#include "explore/trace/operation_kinds.h"

#include <algorithm>

#include "objects/op_table.h"

namespace mazurka {

bool may_have_outcomes(const Operation& op) { return row_of(op.kind).several.holds(op); }

bool may_block(const Operation& op) { return row_of(op.kind).blocks.holds(op); }

bool ends_threads(const Transition& made) {
  return row_of(made.op.kind).ends_threads || made.effect.misuse != Misuse::None ||
         ended_by_signal(made.op, made.choice.outcome, made.effect);
}

bool destroys(OpKind kind) { return row_of(kind).destroys; }

bool may_bring_signals(const Operation& op) {
  const auto brings = row_of(op.kind).brings_signals;
  return brings != nullptr && brings(op);
}

bool uses_signals(const Execution& execution) {
  if ((execution.rarities & kRareSignalCalls) == 0) return false;
  return std::any_of(execution.transitions.begin(), execution.transitions.end(),
                     [](const Transition& made) { return may_bring_signals(made.op); });
}

}  // namespace mazurka
