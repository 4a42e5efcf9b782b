// The model of a shared variable that is read and written atomically: loads, stores, updates
// (fetch-add and the like) and compare-exchange, sequentially consistent.
//
// The model knows the value, so it knows in every state whether a compare-exchange would write.
// Where the value lies in a program's own memory, the thread does the operation there too, right
// after it was granted; what invisible code did to that memory, or what the model cannot calculate,
// is told to it like any other setting of an object (World::touch), and so gets into the log.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "objects/op_functions.h"
#include "objects/operation.h"

namespace mazurka {

struct Variable {
  // The low `size` bytes count, the others are zero. Of a larger variable it is a number for its
  // bytes: the same for the same bytes only. Then updates other than Exchange are not known here.
  int64_t value = 0;
  uint8_t size = sizeof(int64_t);
  uint8_t padding[3] = {};
  uint32_t changes = 0;  // how often the value became another one

  // Cut to its size.
  int64_t fit(int64_t wanted) const {
    if (size >= sizeof(int64_t)) return wanted;
    const uint64_t mask = (uint64_t{1} << (8 * size)) - 1;
    return static_cast<int64_t>(static_cast<uint64_t>(wanted) & mask);
  }
  // Invisible code gave it another value, or an operation that the model cannot calculate.
  void set(int64_t wanted);
  // Whether the operation writes it here: a compare-exchange that fails does not.
  bool is_written_by(const Operation& op) const {
    if (op.kind == OpKind::VarCompareExchange) return value == fit(op.value);
    return op.kind != OpKind::VarLoad;
  }
  // Does the operation. Returns its effect: the value before (but a store has none), and EAGAIN for
  // a compare-exchange that failed.
  Effect apply(const Operation& op);
};
static_assert(std::is_trivially_copyable_v<Variable>);

namespace on_variable {

// Disabled only while its thread spins in vain: an iteration of a loop that changed nothing,
// neither what the thread knows nor what it read, would do so again.
EnabledFunction enabled;
ApplyFunction apply;
AccessFunction accesses;
MentionFunction load_mentions, write_mentions;
CommuteFunction commute;
StateFunction state;

}  // namespace on_variable

}  // namespace mazurka
