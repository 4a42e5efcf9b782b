// What the searches take for granted by the table of operations, in all states of small worlds:
// whether something may block or have several outcomes, what it accesses by what it names, who may
// enable and disable it. reductions_random_test would find most mistakes there, if luck has it.
//
// MAZURKA_SMALL_WORLDS="events;pauses" tries only these.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "explore/classic/co_enabled.h"
#include "explore/trace/mentioned_accesses.h"
#include "objects/access_mask.h"
#include "objects/misuse.h"
#include "objects/op_table.h"
#include "testing/worlds/row_claims.h"

namespace mazurka {
namespace {

Transition transition_of(const World& before, const RowClaims::Made& made) {
  Transition transition;
  transition.choice = {made.label.thread, made.label.outcome};
  transition.process = before.thread(made.label.thread).process;
  transition.op = made.label.item.op;
  transition.effect = made.effect;
  transition.accesses = made.accesses;
  return transition;
}

bool is_misuse(const World& world, const RowClaims::Pending& pending) {
  return foretell_misuse(world, pending.thread, pending.item.op) != Misuse::None;
}

// Both are enabled here, so nobody may say that they never are.
std::string check_co_enabled(const World& world, const RowClaims::Made& made,
                             const RowClaims::Pending& pending, bool) {
  if (!pending.is_enabled || world.signal_count != 0 || is_misuse(world, pending)) return "";
  const bool said = may_be_co_enabled(transition_of(world, made), pending.thread, pending.item.op);
  return said ? "" : "co-enabled";
}

// What a transition changes tells whom it may disable.
std::string check_disabled(const World& world, const RowClaims::Made& made,
                           const RowClaims::Pending& pending, bool is_enabled_after) {
  const Operation& op = pending.item.op;
  if (!pending.is_enabled || is_enabled_after || world.signal_count != 0) return "";
  if (is_misuse(world, pending)) return "";
  const Releases releases = row_of(made.label.item.op.kind).releases;
  if (releases == Releases::Mutex || releases == Releases::RwLock) return "a release disables";
  const AccessMask mask = AccessMask::of(made.accesses.data(), made.accesses.size());
  const std::vector<OpPart> parts(&world.parts[op.part_begin],
                                  &world.parts[op.part_begin] + op.part_count);
  return (mask.changes & disabling_bits(op, parts)) != 0 ? "" : "disabled_by";
}

// A robust mutex comes back with the end of its owner as well.
bool gives_up(const World& world, const RowClaims::Made& made, ObjectId id) {
  const Mutex& mutex = world.object(id).mutex;
  if (mutex.robust) return true;
  const Operation& op = made.label.item.op;
  const Releases releases = row_of(op.kind).releases;
  const bool says_so = (releases == Releases::Mutex && op.object == id) ||
                       (releases == Releases::SecondMutex && op.second == id);
  return says_so && mutex.owner == made.label.thread;
}

bool wakes(const RowClaims::Made& made, ThreadId waiter) {
  const Access wake{wake_resource(waiter), Mode::Read, {}};
  return conflict(&wake, 1, made.accesses.data(), static_cast<uint32_t>(made.accesses.size()));
}

// Whoever enables an operation is who it waits for.
bool is_awaited(const World& world, const RowClaims::Made& made,
                const RowClaims::Pending& pending) {
  const Operation& op = pending.item.op;
  const Releases releases = row_of(made.label.item.op.kind).releases;
  switch (row_of(op.kind).awaits) {
    case Awaits::Anything:
      return true;
    case Awaits::End:
      return op.target == made.label.thread;
    case Awaits::ChildEnd:
      return world.thread(made.label.thread).process != world.thread(pending.thread).process;
    case Awaits::Mutex:
      return gives_up(world, made, op.object);
    case Awaits::WakeAndMutex:
      return world.thread(pending.thread).woken ? gives_up(world, made, op.second)
                                                : wakes(made, pending.thread);
    case Awaits::Wake:
      return wakes(made, pending.thread);
    case Awaits::Once:
      return releases == Releases::Once;
    case Awaits::Writer:
    case Awaits::Holders:
      return releases == Releases::RwLock;
  }
  return false;
}

// An end of the whole process, or a signal, lets others go on for reasons of its own; and what has
// become a misuse is enabled to be one.
std::string check_awaited(const World& world, const RowClaims::Made& made,
                          const RowClaims::Pending& pending, bool is_enabled_after) {
  if (pending.is_enabled || !is_enabled_after || world.signal_count != 0) return "";
  const OpRow& row = row_of(made.label.item.op.kind);
  const bool is_signal = row.brings_signals != nullptr;
  if (is_signal || row.destroys) return "";
  return is_awaited(world, made, pending) ? "" : "awaits";
}

// Null: all of them.
const char* wanted_worlds() { return std::getenv("MAZURKA_SMALL_WORLDS"); }

bool is_wanted(const std::string& world) {
  const char* wanted = wanted_worlds();
  return wanted == nullptr ||
         (";" + std::string(wanted) + ";").find(";" + world + ";") != std::string::npos;
}

TEST(Rows, ClaimWhatTheModelsDoInEveryState) {
  RowClaims claims;
  claims.pair_claims = {check_co_enabled, check_disabled, check_awaited};
  for (const SmallWorldCase& chosen : all_small_worlds()) {
    if (is_wanted(chosen.name) && claims.violations.empty()) claims.check(chosen);
  }
  for (const auto& [what, count] : claims.violations)
    ADD_FAILURE() << what << " (" << count << " times)";
  if (wanted_worlds() != nullptr) return;
  for (const OpRow& row : kOpTable) {
    EXPECT_EQ(claims.seen_disabled.count(row.kind), row.blocks.is_possible()) << row.name;
    EXPECT_EQ(claims.seen_with_several.count(row.kind), row.several.is_possible()) << row.name;
  }
  for (const char* column : {"blocks", "several", "sure", "mentioned", "destroys", "ends_threads",
                             "brings_signals", "is_unseen"}) {
    EXPECT_GT(claims.tried[column], 10) << column;
  }
}

}  // namespace
}  // namespace mazurka
