#include "runtime/accesses/spin_trail.h"

#include "base/check.h"
#include "runtime/accesses/seen_memory.h"
#include "runtime/accesses/stack_guests.h"
#include "runtime/core/hot.h"
#include "runtime/core/state.h"
#include "runtime/heap/allocator.h"
#include "runtime/signals/alternate_stack.h"
#include "runtime/threads/fiber.h"

namespace mazurka {

MAZURKA_HOT(2) uint64_t spin_activity;

namespace {

// The visits themselves lie where no reset costs anything for them: SharedPart::visits.
SpinTrail& mine() { return context(state.current).trail; }
SpinVisit* my_visits() { return shared_part().visits[index(state.current)]; }

bool same(const SpinState& a, const SpinState& b) {
  return a.pc == b.pc && a.stack == b.stack && a.hash == b.hash;
}

constexpr uint64_t kFactor = 0x9e37'79b9'7f4a'7c15;

uint64_t fold(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * kFactor;
  return hash ^ (hash >> 29);
}

// Several at a time: each step of one waits for the step before.
uint64_t hash_words(const uint64_t* from, const uint64_t* to) {
  uint64_t lanes[4] = {1, 2, 3, 4};
  for (; from + 4 <= to; from += 4) {
    for (int i = 0; i < 4; ++i) lanes[i] = fold(lanes[i], from[i]);
  }
  for (; from < to; ++from) lanes[0] = fold(lanes[0], *from);
  return fold(fold(lanes[0], lanes[1]), fold(lanes[2], lanes[3]));
}

bool is_in(const Operation& op, ObjectId variable) {
  for (uint32_t i = 0; i < op.part_count; ++i) {
    const OpPart& part = world().parts[op.part_begin + i];
    if (!part.variable.same_bytes && part.object == variable) return true;
  }
  return false;
}

// It read a variable twice, and saw that it had changed in between: waiting for that would be over
// at once.
bool has_seen_change(const SpinVisit* visits, uint32_t first, uint32_t count) {
  for (uint32_t i = first; i < count; ++i) {
    for (uint32_t j = i + 1; j < count; ++j) {
      const SpinVisit& one = visits[i];
      const SpinVisit& other = visits[j];
      if (one.variable == other.variable && one.changes != other.changes) return true;
    }
  }
  return false;
}

}  // namespace

SpinState spin_state(const CallerState& caller) {
  return spin_state(*caller.stack_end, caller.stack_end, caller.registers,
                    sizeof caller.registers / sizeof *caller.registers);
}

SpinState spin_state(uint64_t pc, const uint64_t* stack, const uint64_t* words, uint32_t count) {
  // In a handler there, the frames do not lie in a row: it counts as going on.
  if (is_on_alternate_stack(reinterpret_cast<uint64_t>(stack)))
    return {pc, reinterpret_cast<uint64_t>(stack), ++spin_activity};
  SpinState now{pc, reinterpret_cast<uint64_t>(stack), spin_activity};
  const auto* const top = reinterpret_cast<const uint64_t*>(context(state.current).first_frame);
  if (top > stack) {
    auto* const frames = const_cast<uint64_t*>(stack);
    show_known_guests(frames, top);
    now.hash = fold(now.hash, hash_words(frames, top));
    restore_guests(frames, top);
  }
  for (uint32_t i = 0; i < count; ++i) now.hash = fold(now.hash, words[i]);
  return now;
}

void wait_if_spinning(const SpinState& now, Operation& op) {
  MAZURKA_DEBUG_CHECK(op.part_count == 0 || op.part_begin + op.part_count == world().part_count);
  const uint32_t count = mine().count;
  const SpinVisit* const visits = my_visits();
  uint32_t first = count;
  while (first > 0 && !same(visits[first - 1].state, now)) --first;
  if (first == 0 || has_seen_change(visits, first - 1, count)) return;
  World& w = world();
  if (w.part_count + count > kMaxParts) return;
  if (op.part_count == 0) op.part_begin = w.part_count;
  op.flags |= kSpinning;
  for (uint32_t i = first - 1; i < count; ++i) {
    const SpinVisit& visit = visits[i];
    if (is_in(op, visit.variable)) continue;
    w.parts[w.part_count++] = looked_at(visit.variable, visit.changes);
    ++op.part_count;
  }
}

// A variable that was read twice in an iteration counts as it was first: a change in between may
// show later.
void note_visit(const SpinState& now, ObjectId variable, bool changed) {
  SpinTrail& trail = mine();
  if (changed) trail.clock_looks = 0;
  if (changed || trail.count == kMaxSpinVisits) {
    trail.count = 0;
    return;
  }
  my_visits()[trail.count++] = {now, variable, world().object(variable).variable.changes};
}

bool has_spin_trail() { return mine().count != 0; }

void leave_spin_trail() { mine().count = mine().clock_looks = 0; }

void note_write_elsewhere(uintptr_t address, size_t size, uint64_t pc) {
  if (!state.scheduling || note_guest_write(address, size)) return;
  name_unmodelled("large data on the stack of a thread to which others write, and that may spin",
                  {.pc = pc});
}

void change_spin_trail(ThreadId from, ThreadId to) {
  settle_guest_writes();
  context(from).trail.activity = spin_activity;
  spin_activity = context(to).trail.activity;
}

}  // namespace mazurka
