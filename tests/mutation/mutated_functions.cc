#include "mutated_functions.h"

#include "objects/accesses.h"
#include "objects/asked.h"
#include "objects/world.h"

namespace mazurka {
namespace {

constexpr uint32_t kMostAccesses = 256;

const OpRow* original = nullptr;
MutatedAccess mutated;

}  // namespace

void mutate_functions_of(const OpRow& row, MutatedAccess access) {
  original = &row;
  mutated = access;
}

void mutated_accesses(const Asked& asked, AccessList& out) {
  Access items[kMostAccesses];
  AccessList own{items, kMostAccesses};
  original->accesses(asked, own);
  out.overflow = out.overflow || own.overflow;
  for (uint32_t i = 0; i < own.count; ++i) {
    const bool is_changed = i == mutated.place;
    if (is_changed && mutated.is_lost) continue;
    const bool is_weak = is_changed && items[i].mode == Mode::Write;
    out.add(items[i].resource, is_weak ? Mode::Read : items[i].mode);
  }
}

Outcomes first_outcome_only(const World& world, ThreadId thread, const Operation& op) {
  const Outcomes all = original->enabled(world, thread, op);
  Outcomes first = Outcomes::none();
  each_outcome(world, all, [&](Outcome outcome) {
    first = Outcomes::one(outcome);
    return false;
  });
  return first;
}

void no_misuse_accesses(const Asked&, Mode, AccessList&) {}

bool always_commutes(const World&, ObjectId, const Party&, const Party&) { return true; }

}  // namespace mazurka
