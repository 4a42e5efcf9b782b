#include "testing/worlds/row_claims.h"

#include <algorithm>
#include <deque>
#include <set>

#include "objects/access_mask.h"
#include "objects/misuse.h"
#include "objects/op_table.h"
#include "testing/worlds/dependency_checker.h"

namespace mazurka {
namespace {

// Those of the operation itself: signals are taken whatever it is.
size_t plain_outcomes(const SmallWorld& world, ThreadId thread, const MenuItem& item) {
  const std::vector<Outcome> all = world.outcomes(thread, item);
  return static_cast<size_t>(std::count_if(
      all.begin(), all.end(), [&](Outcome outcome) { return !is_delivery(item.op, outcome); }));
}

// What every transition has.
bool is_common(const World& world, ThreadId thread, const Access& access) {
  if (access.resource == moves_resource()) return access.mode == Mode::Add;
  if (access.resource == thread_resource(thread)) return access.mode == Mode::Add;
  return access.resource == process_resource(world.thread(thread).process, kLife) &&
         access.mode == Mode::Read;
}

// Whether the operation has no others, whatever its thread goes on to do.
bool is_common(const World& world, const Label& label) {
  Access items[64];
  AccessList list{items, 64};
  real_accesses(world, label, list);
  return !list.overflow && std::all_of(items, items + list.count, [&](const Access& access) {
    return is_common(world, label.thread, access);
  });
}

bool covers(const AccessMask& mask, const Access& access) {
  const uint64_t bit = AccessMask::bit_of(access.resource);
  const bool changes = access.mode == Mode::Read || (mask.changes & bit) != 0;
  return changes && (access.mode == Mode::Add || (mask.looks & bit) != 0);
}

bool has_access(const Accesses& accesses, const Resource& resource, bool writes) {
  return std::any_of(accesses.begin(), accesses.end(), [&](const Access& access) {
    return access.resource == resource && (!writes || access.mode == Mode::Write);
  });
}

// After which there is nothing more of its thread that others could tell from it.
bool is_end(OpKind kind) {
  return kind == OpKind::ThreadExit || kind == OpKind::ProcessEnd || kind == OpKind::Crash ||
         kind == OpKind::Assertion || kind == OpKind::Misuse;
}

// Signals that its threads might take, or might come to take: ends of children send them, too.
uint64_t signals_of(const World& world) {
  uint64_t signals = world.signal_count;
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    signals += world.processes[i].exists && wants_child_signal(world, ProcessId(i));
    if (world.threads[i].status != ThreadStatus::AtOperation) continue;
    signals += static_cast<uint64_t>(
        __builtin_popcountll(deliverable(world, ThreadId(i), world.threads[i].blocked)));
  }
  return signals;
}

}  // namespace

void RowClaims::violated(const std::string& what, const Operation& op) {
  ++violations[case_name_ + ": " + what + ": " + name_of(op.kind)];
}

void RowClaims::claim(const char* column, bool holds, const Operation& op) {
  ++tried[column];
  if (!holds) violated(column, op);
}

void RowClaims::check(const SmallWorldCase& chosen) {
  SmallWorld world(chosen);
  case_name_ = chosen.name;
  std::set<SmallWorld::View> seen{world.key()};
  for (std::deque<SmallWorld::Saved> open{world.save()}; !open.empty(); open.pop_front()) {
    check_state(world, open.front());
    world.load(open.front());
    for (const Label& label : world.enabled_labels()) {
      world.load(open.front());
      world.take(label);
      if (!world.is_far() && seen.insert(world.key()).second) open.push_back(world.save());
    }
  }
}

void RowClaims::check_state(SmallWorld& world, const SmallWorld::Saved& state) {
  world.load(state);
  std::vector<Pending> all;
  for (uint32_t i = 0; i < world.threads(); ++i) {
    for (const MenuItem& item : world.items(ThreadId(i))) {
      all.push_back({ThreadId(i), item, !world.outcomes(ThreadId(i), item).empty()});
      check_pending(world, all.back());
    }
  }
  for (const Label& label : world.enabled_labels()) {
    world.load(state);
    if (is_delivery(label.item.op, label.outcome)) continue;
    Made made{label, world.accesses_of(label, real_accesses), {}, {}};
    made.effect = world.take(label);
    made.after = world.save();
    if (made.effect.misuse != Misuse::None) continue;
    check_made(world, state, made);
    check_pairs(world, state, made, all);
  }
}

void RowClaims::check_pending(const SmallWorld& world, const Pending& pending) {
  const Operation& op = pending.item.op;
  if (!pending.is_enabled) {
    seen_disabled.insert(op.kind);
    claim("blocks", row_of(op.kind).blocks.holds(op), op);
    claim("is_unseen", !row_of(op.kind).is_unseen, op);  // others let it go on
  }
  if (plain_outcomes(world, pending.thread, pending.item) > 1) {
    seen_with_several.insert(op.kind);
    claim("several", row_of(op.kind).several.holds(op), op);
  }
}

void RowClaims::check_made(SmallWorld& world, const SmallWorld::Saved& state, const Made& made) {
  world.load(made.after);
  check_ends(state, world.world(), made);
  const uint64_t signals_after = signals_of(world.world());
  world.load(state);
  const Operation& op = made.label.item.op;
  const bool goes_on = made.label.item.then == Then::GoesOn && !row_of(op.kind).ends_threads;
  if (goes_on && signals_of(world.world()) < signals_after) {
    const auto brings = row_of(op.kind).brings_signals;
    claim("brings_signals", brings != nullptr && brings(op), op);
  }
  // The searches take nothing for granted where signals are pending.
  if (world.world().signal_count == 0) check_accesses(world.world(), made);
}

void RowClaims::check_accesses(const World& before, const Made& made) {
  const Operation& op = made.label.item.op;
  const OpRow& row = row_of(op.kind);
  const ThreadId thread = made.label.thread;
  if (row.is_unseen && !is_end(op.kind)) claim("is_unseen", is_common(before, made.label), op);
  const bool creates = made.label.item.then != Then::GoesOn;  // that has accesses of its own
  if (row.sure != Sure::Nothing) {
    claim("sure", has_access(made.accesses, object_resource(op.object), row.sure == Sure::Writes),
          op);
  }
  AccessMask mask;
  const Mentioned mentioned{op, &before.parts[op.part_begin], op.part_count, thread,
                            before.thread(thread).process};
  if (creates || row.mentioned == nullptr || !row.mentioned(mentioned, mask)) return;
  claim("mentioned",
        std::all_of(made.accesses.begin(), made.accesses.end(),
                    [&](const Access& access) {
                      return is_common(before, thread, access) || covers(mask, access);
                    }),
        op);
}

// Of what the operation does itself: what its thread goes on to do is another one, or invisible.
void RowClaims::check_ends(const SmallWorld::Saved& before, const World& after, const Made& made) {
  const Operation& op = made.label.item.op;
  const OpRow& row = row_of(op.kind);
  if (op.object != kNoObject && !row.may_be_removed) {
    const bool destroyed =
        !before.objects[index(op.object)].destroyed && after.object(op.object).destroyed;
    if (destroyed) claim("destroys", row.destroys, op);
  }
  for (uint32_t i = 0; i < before.threads.size(); ++i) {
    const bool is_own = ThreadId(i) == made.label.thread;
    const bool is_gone = before.threads[i].status == ThreadStatus::AtOperation &&
                         after.threads[i].status == ThreadStatus::AtExit;
    if (!is_own && is_gone) claim("ends_threads", row.ends_threads, op);
  }
}

void RowClaims::check_pairs(SmallWorld& world, const SmallWorld::Saved& state, const Made& made,
                            const std::vector<Pending>& all) {
  std::vector<bool> enabled_after;
  world.load(made.after);
  for (const Pending& pending : all) {
    const bool stays = world.world().thread(pending.thread).status == ThreadStatus::AtOperation;
    // Who is gone is not disabled by what the row says.
    enabled_after.push_back(stays ? !world.outcomes(pending.thread, pending.item).empty()
                                  : pending.is_enabled);
  }
  world.load(state);
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].thread == made.label.thread) continue;
    for (const PairClaim& pair_claim : pair_claims) {
      const std::string wrong = pair_claim(world.world(), made, all[i], enabled_after[i]);
      if (!wrong.empty())
        violated(wrong + ", " + name_of(made.label.item.op.kind) + " and", all[i].item.op);
    }
  }
}

}  // namespace mazurka
