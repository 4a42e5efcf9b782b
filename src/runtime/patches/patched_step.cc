// Locked instructions that were replaced: visible operations, as the atomic ones of instrumented
// code (accesses/atomic_calls.cc). The thread comes here with its registers saved, and does the
// instruction on these and on its own memory once it was chosen.
#include <cerrno>
#include <cstring>
#include <utility>

#include "kinds/variable/update.h"
#include "runtime/accesses/atomic_step.h"
#include "runtime/core/crash.h"
#include "runtime/core/let_others_move.h"
#include "runtime/patches/access_watch.h"
#include "runtime/patches/locked_instruction.h"
#include "runtime/patches/patches.h"
#include "runtime/patches/unseen_stores.h"
#include "runtime/patches/vector_state.h"
#include "runtime/patches/watched_stretch.h"

namespace mazurka {
namespace {

Operation update(Update how, uint64_t operand) {
  return {.kind = OpKind::VarUpdate, .update = how, .value = static_cast<int64_t>(operand)};
}

Operation compare_exchange(const PatchSite& site, const PatchedFrame& frame) {
  const auto value = [&](const auto& bytes) { return variable_value(&bytes, site.size); };
  const uint64_t rax = frame.registers[0];
  Operation op{.kind = OpKind::VarCompareExchange, .flags = kAcquireOnFailure};
  if (site.form == AtomicForm::CompareExchange) {
    const uint64_t wanted = operand_value(site, frame);
    op.value = value(rax);
    op.desired = value(wanted);
  } else if (site.size == 16) {
    const uint64_t expected[] = {rax, frame.registers[2]};
    const uint64_t desired[] = {frame.registers[3], frame.registers[1]};
    op.value = value(expected);
    op.desired = value(desired);
  } else {
    const uint32_t expected[] = {static_cast<uint32_t>(rax),
                                 static_cast<uint32_t>(frame.registers[2])};
    const uint32_t desired[] = {static_cast<uint32_t>(frame.registers[3]),
                                static_cast<uint32_t>(frame.registers[1])};
    op.value = value(expected);
    op.desired = value(desired);
  }
  return op;
}

// What it does to its operand is known before it is done.
Operation operation_of(const PatchSite& site, const PatchedFrame& frame) {
  const uint64_t value = operand_value(site, frame);
  const uint64_t carry = carries(frame) ? 1 : 0;
  constexpr uint64_t kOne = 1;
  switch (site.form) {
    case AtomicForm::Exchange:
      return update(Update::Exchange, value);
    case AtomicForm::ExchangeAdd:
    case AtomicForm::Add:
      return update(Update::Add, value);
    case AtomicForm::AddWithCarry:
      return update(Update::Add, value + carry);
    case AtomicForm::Subtract:
      return update(Update::Add, -value);
    case AtomicForm::SubtractWithBorrow:
      return update(Update::Add, -(value + carry));
    case AtomicForm::And:
      return update(Update::And, value);
    case AtomicForm::Or:
      return update(Update::Or, value);
    case AtomicForm::Xor:
      return update(Update::Xor, value);
    case AtomicForm::Increment:
      return update(Update::Add, 1);
    case AtomicForm::Decrement:
      return update(Update::Add, -kOne);
    case AtomicForm::Negate:
      return update(Update::Negate, 0);
    case AtomicForm::Not:
      return update(Update::Xor, ~uint64_t{0});
    case AtomicForm::SetBit:
      return update(Update::Or, kOne << value);
    case AtomicForm::ResetBit:
      return update(Update::And, ~(kOne << value));
    case AtomicForm::ComplementBit:
      return update(Update::Xor, kOne << value);
    default:
      break;
  }
  return compare_exchange(site, frame);
}

// All registers that somebody may still look at belong to the thread's state, and what its function
// keeps below the stack pointer.
SpinState spin_state_of(const Patch& patch, const PatchedFrame& frame, const uint8_t* vectors) {
  constexpr uint64_t kRedZone = 128;
  constexpr uint32_t kWords = 16 + 2;
  uint64_t words[kWords];
  for (uint32_t i = 0; i < 16; ++i) {
    const bool is_dead = (patch.site.dead_registers >> i & 1) != 0;
    words[i] = is_dead ? 0 : frame.registers[i];
  }
  words[16] = frame.flags & ~uint64_t{patch.site.dead_flags};
  words[17] = hash_of_vectors(vectors);
  const uint64_t stack = frame.registers[kStackPointer];
  const uint64_t used = patch.site.uses_red_zone ? stack - kRedZone : stack;
  return spin_state(patch.address, reinterpret_cast<const uint64_t*>(used & ~uint64_t{7}), words,
                    kWords);
}

// A round may pass a place several times, in several states: each is compared with one that is
// renewed after ever more visits (Brent).
struct Visits {
  SpinState reference;
  uint32_t transitions;  // of the thread
  uint32_t since;
  uint32_t next_power;
  bool is_endless;  // it came round when nobody else could go on any more

  bool come_again(const SpinState& now, uint32_t present_transitions) {
    const bool goes_on = next_power != 0 && transitions == present_transitions;
    const bool is_same = goes_on && now.pc == reference.pc && now.stack == reference.stack &&
                         now.hash == reference.hash;
    if (goes_on && (is_endless || (!is_same && ++since < next_power))) return false;
    is_endless = false;
    next_power = goes_on && !is_same ? 2 * next_power : 1;
    since = 0;
    reference = now;
    transitions = present_transitions;
    return is_same;
  }
};

// A loop that waits by plain loads. What it looks at is not known, so it waits for any move of
// others, once it has come round without effect.
void come_round(const Patch& patch, const PatchedFrame& frame, const uint8_t* vectors) {
  static Visits all_visits[kMaxThreads];
  Visits& visits = all_visits[index(state.current)];
  if (!visits.come_again(spin_state_of(patch, frame, vectors),
                         world().thread(state.current).transitions))
    return;
  const Call here{.pc = patch.address + 1};
  name_unmodelled(kPlainLoop, here);
  if (let_others_move(here)) return;
  visits.is_endless = true;  // a divergence, which the tool notices
  visits.transitions = world().thread(state.current).transitions;
}

// The state of these visits is nobody's: the loop does not come round at them.
void note_read_of_loop(const LookedAt& word, uint64_t pc) {
  if (!can_read(word.address)) return;
  note_visit({}, watch_word_of_loop(word.address, word.size, pc), false);
}

void step_at(const Patch& patch, uint8_t* address, PatchedFrame& frame, const uint8_t* vectors) {
  const PatchSite& site = patch.site;
  const uint64_t pc = patch.address + 1;
  segment().control.atomics_happened = 1;
  note_locked_bytes(address, site.size);
  const LookedAtWords looked_at = take_looked_at_words();
  for (uint32_t i = 0; i < looked_at.count; ++i) note_read_of_loop(looked_at.words[i], pc);
  if (watched_word_count != 0) make_unseen_stores_visible({.pc = pc});
  const Operation op = operation_of(site, frame);
  const SpinState spin = spin_state_of(patch, frame, vectors);
  const auto watch = [&](ObjectId variable) { watch_word(variable, address, site.size); };
  step_from(spin, pc, address, site.size, op, __ATOMIC_SEQ_CST, watch, [&] {
    execute(site, address, frame);
    return 0;
  });
  if (has_spin_trail()) watch_stretch(frame);
}

// --- plain accesses

// Of a thread that has come to a plain access, at which it is not watched yet: whether it comes
// round.
struct Visited {
  SpinState state;
  const Patch* patch;
};
struct LatestVisits {
  static constexpr uint32_t kMost = 16;
  Visited visits[kMost];
  uint32_t count;

  void add(const Visited& visit) { visits[count++ % kMost] = visit; }
  bool has(const SpinState& state) const {
    for (uint32_t i = 0; i < count && i < kMost; ++i) {
      const SpinState& known = visits[i].state;
      if (known.pc == state.pc && known.stack == state.stack && known.hash == state.hash)
        return true;
    }
    return false;
  }
};

// What it did in between may have been anything, as nobody has looked.
SpinState spin_state_of_access(const Patch& patch, const PatchedFrame& frame,
                               const uint8_t* vectors) {
  if (patch.site.is_looked_at_again != 0) return spin_state_of(patch, frame, vectors);
  static LatestVisits all_visits[kMaxThreads];
  const uint64_t activity = std::exchange(spin_activity, uint64_t{0});
  const SpinState bare = spin_state_of(patch, frame, vectors);
  spin_activity = activity;
  LatestVisits& visits = all_visits[index(state.current)];
  if (segment().control.direct == 0 && visits.has(bare)) learn_loop_at(patch.address);
  visits.add({bare, &patch});
  ++spin_activity;
  return spin_state_of(patch, frame, vectors);
}

void load_at(const Patch& patch, const uint8_t* address, const SpinState& spin) {
  const auto watch = [&](ObjectId variable) { watch_word(variable, address, patch.site.size); };
  step_from(spin, patch.address + 1, address, patch.site.size, {.kind = OpKind::VarLoad},
            __ATOMIC_SEQ_CST, watch, [] { return 0; });
}

// The thread stores it itself, once it goes on.
void store_at(const Patch& patch, uint8_t* address, const PatchedFrame& frame,
              const SpinState& spin) {
  const PatchSite& site = patch.site;
  const uint64_t pc = patch.address + 1;
  Operation op{.kind = OpKind::VarStore, .flags = order_flags(__ATOMIC_SEQ_CST)};
  if (site.form == AtomicForm::Store) {
    const uint64_t value = operand_value(site, frame);
    op.value = variable_value(&value, site.size);
  } else {
    op.flags |= kPlain;
  }
  find_variables(address, site.size, op);
  watch_word(op.object, address, site.size);
  refresh_variable(op.object, variable_value(address, site.size));
  wait_if_spinning(spin, op);
  reach(op, {.pc = pc});
  const auto at = reinterpret_cast<uintptr_t>(address);
  if (at >= kLowestStack && at - own_stack_low >= own_stack_size)
    note_write_elsewhere(at, site.size, pc);
  note_visit(spin, op.object, false);
  begin_store(op, address, site.size);
  check_atomic(at, site.size, true, op.flags, pc);
}

// Of one that loads and stores, others may come in between: it goes on with what it has loaded.
void access_at(const Patch& patch, uint8_t* address, PatchedFrame& frame, const uint8_t* vectors) {
  const PatchSite& site = patch.site;
  const uint64_t pc = patch.address + 1;
  segment().control.atomics_happened = 1;
  const LookedAtWords looked_at = take_looked_at_words();
  for (uint32_t i = 0; i < looked_at.count; ++i) note_read_of_loop(looked_at.words[i], pc);
  if (watched_word_count != 0) make_unseen_stores_visible({.pc = pc});
  const SpinState spin = spin_state_of_access(patch, frame, vectors);
  const bool loads = site.form == AtomicForm::Load || site.form == AtomicForm::LoadStore;
  if (loads) load_at(patch, address, spin);
  if (site.form == AtomicForm::LoadStore) {
    uint8_t loaded[sizeof(uint64_t) * 8];
    memcpy(loaded, address, site.size);
    leave_spin_trail();
    store_at(patch, address, frame, spin);
    memcpy(address, loaded, site.size);
    leave_spin_trail();
  } else if (!loads) {
    store_at(patch, address, frame, spin);
  }
  if (site.is_looked_at_again != 0 && has_spin_trail()) watch_stretch(frame);
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

extern "C" __attribute__((visibility("hidden"), used)) uint64_t mazurka_patched(
    PatchedFrame* frame, const uint8_t* vectors) {
  const Patch& patch = patch_number(frame->patch);
  frame->pc = patch.address + 1;
  if (patch.site.form == AtomicForm::Loop) {
    const int kept_errno = errno;
    if (may_interleave()) come_round(patch, *frame, vectors);
    errno = kept_errno;
    return reinterpret_cast<uint64_t>(patch.rest);
  }
  uint8_t* const address = operand_address(patch.site, patch.address + patch.site.length, *frame);
  const bool is_plain = is_plain_access(patch.site.form);
  if (!may_interleave()) {
    const FaultsAt here(patch.address);
    if (!is_plain) execute(patch.site, address, *frame);
  } else {
    const int kept_errno = errno;
    {
      const FaultsAt here(patch.address);
      variable_value(address, patch.site.size);
    }
    settle_store();
    if (is_plain) {
      access_at(patch, address, *frame, vectors);
    } else {
      step_at(patch, address, *frame, vectors);
    }
    errno = kept_errno;
  }
  return reinterpret_cast<uint64_t>(patch.rest);
}
