// What programs do most: operations on variables, joins, locks and unlocks. They go the way of all
// others (world.cc, accesses.cc), but by rows that are known when this is compiled: so the compiler
// puts the models' own functions in place, and leaves out what these rows do not have. The runtime
// asks for each step of each execution.
#pragma once

#include <cstdint>

#include "objects/accesses.h"
#include "objects/asked.h"
#include "objects/clock.h"
#include "objects/misuse.h"
#include "objects/op_table.h"
#include "objects/world.h"

namespace mazurka {

enum class Frequent : uint8_t { No, Variable, Join, Lock, Unlock };

constexpr Frequent frequent(OpKind kind) {
  if (kAreTablesMutable) return Frequent::No;
  switch (kind) {
    case OpKind::VarLoad:
    case OpKind::VarStore:
    case OpKind::VarUpdate:
    case OpKind::VarCompareExchange:
      return Frequent::Variable;
    case OpKind::Join:
      return Frequent::Join;
    case OpKind::MutexLock:
      return Frequent::Lock;
    case OpKind::MutexUnlock:
      return Frequent::Unlock;
    default:
      return Frequent::No;
  }
}

// Whether two rows have the same model: then one of them may stand for both here.
constexpr bool same_model(const OpRow& a, const OpRow& b) {
  return a.object == b.object && a.second == b.second && a.may_be_removed == b.may_be_removed &&
         a.enabled == b.enabled && a.apply == b.apply && a.accesses == b.accesses &&
         a.misuse == b.misuse;
}
template <OpKind kind>
struct ConstantRow {
  constexpr const OpRow& operator()() const { return kOpTable[static_cast<size_t>(kind)]; }
};
static_assert(same_model(ConstantRow<OpKind::VarLoad>()(), ConstantRow<OpKind::VarStore>()()) &&
              same_model(ConstantRow<OpKind::VarLoad>()(), ConstantRow<OpKind::VarUpdate>()()) &&
              same_model(ConstantRow<OpKind::VarLoad>()(),
                         ConstantRow<OpKind::VarCompareExchange>()()));

// Calls f(row), where row() is a constant. Requires that it is not No.
template <typename F>
inline auto with_frequent_row(Frequent which, F&& f) {
  switch (which) {
    case Frequent::Join:
      return f(ConstantRow<OpKind::Join>());
    case Frequent::Lock:
      return f(ConstantRow<OpKind::MutexLock>());
    case Frequent::Unlock:
      return f(ConstantRow<OpKind::MutexUnlock>());
    case Frequent::Variable:
    case Frequent::No:
      break;
  }
  return f(ConstantRow<OpKind::VarLoad>());
}

// As enabled().
inline Outcomes enabled_soon(const World& world, ThreadId thread, const Operation& op) {
  const Frequent which = frequent(op.kind);
  if (which == Frequent::No || world.signal_count != 0) return enabled(world, thread, op);
  return with_frequent_row(which, [&](auto row) {
    const bool is_misuse = misuse_of_objects(world, op, row()) != Misuse::None;
    return is_misuse ? Outcomes::one() : row().enabled(world, thread, op);
  });
}

// Not No: nothing but the row's own functions has a say. Requires that the operation is enabled.
inline Frequent frequent_step(const World& world, ThreadId thread, const Operation& op) {
  const Frequent which = frequent(op.kind);
  if (which == Frequent::No || world.signal_count != 0) return Frequent::No;
  const bool is_misuse = with_frequent_row(which, [&](auto row) {
    return misuse_of_objects(world, op, row()) != Misuse::None ||
           row().misuse(world, thread, op) != Misuse::None;
  });
  return is_misuse ? Frequent::No : which;
}

// As accesses(). Requires that frequent_step said so, and an empty list.
inline void frequent_accesses(const World& world, Frequent which, ThreadId thread,
                              const Operation& op, AccessList& out) {
  add_common_accesses(world, thread, Mode::Add, out);
  with_frequent_row(which, [&](auto row) {
    row().accesses({world, thread, op, kOnlyOutcome, false}, out);
  });
}

// As apply(). Requires the same.
inline Effect frequent_apply(World& world, Frequent which, ThreadId thread, const Operation& op) {
  begin_transition(world, world.thread(thread));
  return with_frequent_row(which,
                           [&](auto row) { return row().apply(world, thread, op, kOnlyOutcome); });
}

}  // namespace mazurka
