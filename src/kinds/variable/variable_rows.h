// The rows of shared variables in the tables of operations and of kinds.
#pragma once

#include "kinds/variable/variable_steps.h"
#include "objects/kind_row.h"
#include "objects/op_row.h"
#include "objects/world.h"

namespace mazurka {

inline constexpr KindRow kVariableKinds[] = {
    {.kind = ObjectKind::Variable,
     .name = "variable",
     .make = state_of<&Object::variable>,
     .commute = on_variable::commute,
     .state = on_variable::state},
};

inline constexpr OpRow kVariableRows[] = {
    {.kind = OpKind::VarLoad,
     .name = "load",
     .object = ObjectKind::Variable,
     .enabled = on_variable::enabled,
     .apply = on_variable::apply,
     .accesses = on_variable::accesses,
     .blocks = When::with(kSpinning),
     .several = When::never(),
     .interrupted = Interrupted::No,
     .mentioned = on_variable::load_mentions,
     .sure = Sure::Reads,
     .disabled_by = DisabledBy::Nothing,
     .order = Order::Variable},
    {.kind = OpKind::VarStore,
     .name = "store",
     .object = ObjectKind::Variable,
     .enabled = on_variable::enabled,
     .apply = on_variable::apply,
     .accesses = on_variable::accesses,
     .blocks = When::with(kSpinning),
     .several = When::never(),
     .interrupted = Interrupted::No,
     .mentioned = on_variable::write_mentions,
     .sure = Sure::Writes,
     .disabled_by = DisabledBy::Nothing,
     .order = Order::Variable},
    {.kind = OpKind::VarUpdate,
     .name = "update",
     .object = ObjectKind::Variable,
     .enabled = on_variable::enabled,
     .apply = on_variable::apply,
     .accesses = on_variable::accesses,
     .blocks = When::with(kSpinning),
     .several = When::never(),
     .interrupted = Interrupted::No,
     .mentioned = on_variable::write_mentions,
     .sure = Sure::Writes,
     .disabled_by = DisabledBy::Nothing,
     .order = Order::Variable},
    {.kind = OpKind::VarCompareExchange,
     .name = "compare-exchange",
     .object = ObjectKind::Variable,
     .enabled = on_variable::enabled,
     .apply = on_variable::apply,
     .accesses = on_variable::accesses,
     .blocks = When::with(kSpinning),
     .several = When::never(),
     .interrupted = Interrupted::No,
     .mentioned = on_variable::write_mentions,
     .sure = Sure::Reads,
     .disabled_by = DisabledBy::Nothing,
     .order = Order::Variable},
};

}  // namespace mazurka
