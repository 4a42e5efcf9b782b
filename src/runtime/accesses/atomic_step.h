// How a thread does an atomic operation of instrumented code: the model decides when, the thread
// does it on the program's own memory.
#pragma once

#include "runtime/accesses/handler_accesses.h"
#include "runtime/accesses/lock_discipline.h"
#include "runtime/accesses/race_shadow.h"
#include "runtime/accesses/seen_memory.h"
#include "runtime/accesses/shared_words.h"
#include "runtime/accesses/spin_trail.h"
#include "runtime/accesses/unshared_memory.h"
#include "runtime/accesses/visible_accesses.h"
#include "runtime/core/state.h"

namespace mazurka {

inline uint8_t order_flags(int order) {
  switch (order) {
    case __ATOMIC_RELAXED:
      return 0;
    case __ATOMIC_CONSUME:
    case __ATOMIC_ACQUIRE:
      return kAcquire;
    case __ATOMIC_RELEASE:
      return kRelease;
    default:
      return kAcquire | kRelease;
  }
}

inline void note_order(int order) {
  if ((order & 0x7fff) != __ATOMIC_SEQ_CST) segment().control.weak_orders = 1;
}

// The access belongs to the time that its own release tells of, and a release begins a new one.
inline void check_atomic(uintptr_t address, size_t size, bool writes, uint8_t flags, uint64_t pc) {
  if (shadow_pieces == nullptr) return;
  if (handlers_are_watched) note_beside_handlers(address, size, writes);
  if (discipline_is_checked) note_words(address, size, writes ? Mode::Write : Mode::Read);
  if (memory_is_annotated) check_unshared(address, size, writes, pc);
  const Epoch now = current_epoch;
  if (writes && (flags & kRelease) != 0) current_epoch -= Epoch{1} << kEpochClockShift;
  check_range(address, size, kAtomic | (writes ? kWrites : kReads), pc);
  current_epoch = now;
}

// Does `real` as this operation, which has no object and order yet, of a thread in this state;
// `meet` is told of its variable.
template <typename Meet, typename F>
auto step_from(const SpinState& spin, uint64_t pc, const volatile void* address, uint8_t size,
               Operation op, int order, Meet&& meet, F&& real) {
  auto* const pointer = const_cast<void*>(address);
  note_order(order);
  op.flags |= order_flags(order & 0x7fff);
  find_variables(pointer, size, op);
  meet(op.object);
  refresh_variable(op.object, variable_value(pointer, size));
  wait_if_spinning(spin, op);
  reach(op, {.pc = pc});
  const auto at = reinterpret_cast<uintptr_t>(pointer);
  const bool is_elsewhere = at >= kLowestStack && at - own_stack_low >= own_stack_size;
  if (is_elsewhere && op.kind != OpKind::VarLoad) note_write_elsewhere(at, size, pc);
  const int64_t before = variable_value(pointer, size);
  auto result = real();
  const int64_t after = variable_value(pointer, size);
  refresh_variable(op.object, after);
  if (op.part_count != 0) refresh_overlapping(op, pointer);
  note_visit(spin, op.object, before != after);
  const bool writes = op.kind != OpKind::VarLoad && world().thread(state.current).effect.error == 0;
  check_atomic(at, size, writes, op.flags, pc);
  return result;
}

// The same for who called atomic_entry.S.
template <typename F>
auto step(const volatile void* address, uint8_t size, Operation op, int order, F&& real) {
  if (!may_interleave()) return real();
  const CallerState caller = mazurka_caller;
  return step_from(
      spin_state(caller), *caller.stack_end, address, size, op, order, [](ObjectId) {},
      static_cast<F&&>(real));
}

}  // namespace mazurka
