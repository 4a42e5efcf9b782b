#include "explore/optimal/optimal_shortcuts.h"

#include <algorithm>

#include "explore/trace/mentioned_accesses.h"
#include "explore/trace/operation_kinds.h"

// Functions that are called for each event have a local reference to the trace: a member would be
// loaded again after each store.
namespace mazurka {

const std::vector<Reversal>& OptimalShortcuts::reversals() {
  const OptimalTrace& trace = trace_;
  const HappensBefore& order = trace.order;
  const uint32_t event = trace.event;
  const uint32_t last_head = trace.heads.empty() ? 0 : trace.heads.back();
  reversals_.clear();
  if (last_head > event && order.is_before(event, last_head)) {
    // No set without the event's future has this head in it: it must be what is reversed.
    if (order.slot(last_head) != order.slot(event) && order.is_immediate(event, last_head))
      add(Reversal::Kind::Executed, order.slot(last_head), order.ordinal(last_head));
    return reversals_;
  }
  if (order.digest(event).may_have_outcomes)
    add(Reversal::Kind::OtherOutcome, order.slot(event), order.ordinal(event));
  add_of_candidates(last_head);
  return reversals_;
}

// Only threads with an operation that the event immediately precedes, or may disable.
void OptimalShortcuts::add_of_candidates(uint32_t last_head) {
  const OptimalTrace& trace = trace_;
  const HappensBefore& order = trace.order;
  const BlockableThreads& blockable = trace.blockable;
  const uint32_t event = trace.event;
  const uint32_t mine = order.slot(event);
  const bool kills = order.digest(event).ends_threads;
  bool any = kills || blockable.has_any(trace.masks.disables(event));
  clear_slots(executed_, blockable.words());
  order.each_successor(event, [&](uint32_t j) {
    if (trace.masks.joins_after(j, event)) return;  // as below, but most threads have one of these
    if (!order.is_immediate(event, j)) return;
    add_slot(executed_, order.slot(j));
    any = true;
  });
  if (!any) return;
  clear_slots(candidates_, blockable.words());
  if (kills) {
    for (uint32_t s = 0; s < order.thread_count(); ++s) add_slot(candidates_, s);
  } else {
    blockable.add_to(candidates_, trace.masks.disables(event));
  }
  for (size_t i = 0; i < candidates_.size(); ++i) candidates_[i] |= executed_[i];
  if (last_head > event) {
    look_after_last_head();
    for (size_t i = 0; i < candidates_.size(); ++i) candidates_[i] &= followers_[i];
  }
  each_slot(candidates_, [&](uint32_t slot) {
    if (slot == mine) return;
    const uint32_t count = order.not_after(event, slot);
    const Operation* op = trace.replica.operation(slot, count);
    if (op == nullptr) return;
    if (has_slot(executed_, slot)) add(Reversal::Kind::Executed, slot, count);
    if (kills || may_block(*op)) add(Reversal::Kind::Blocked, slot, count);
  });
}

void OptimalShortcuts::add(Reversal::Kind kind, uint32_t slot, uint32_t count) {
  const Reversal reversal{kind, slot, count};
  if (may_have_children(reversal)) reversals_.push_back(reversal);
}

bool OptimalShortcuts::may_have_children(const Reversal& reversal) {
  const OptimalTrace& trace = trace_;
  const auto [kind, slot, count] = reversal;
  const OperationMasks& masks = trace.masks;
  const uint32_t event = trace.event;
  if (kind != Reversal::Kind::OtherOutcome) {
    if (masks.waits_for(slot, *trace.replica.operation(slot, count), count, event)) return false;
    const bool kills = trace.order.digest(event).ends_threads;
    const bool disables = (masks.disabling(slot, count) & masks.disables(event)) != 0;
    if (kind == Reversal::Kind::Blocked && !kills && !disables) return false;
  }
  return may_contain_last_head(reversal) && !is_better_head(reversal);
}

// All of the heads after the event must come before the reversed operation, and happen before it.
bool OptimalShortcuts::may_contain_last_head(const Reversal& reversal) {
  const OptimalTrace& trace = trace_;
  if (trace.heads.empty() || trace.heads.back() <= trace.event) return true;
  const HappensBefore& order = trace.order;
  const uint32_t head = trace.heads.back();
  const uint32_t last = order.previous(reversal.slot, reversal.count);
  if (last != HappensBefore::kNone && order.is_before(head, last)) return true;
  const uint32_t other = trace.other_of(reversal);
  if (reversal.kind == Reversal::Kind::Executed && order.is_before(head, other)) return true;
  return may_depend_on_last_head(reversal);
}

// What all reversals of earlier events have in common (may_contain_last_head), found once.
void OptimalShortcuts::look_after_last_head() {
  const OptimalTrace& trace = trace_;
  if (!after_last_head_.empty()) return;
  const HappensBefore& order = trace.order;
  const uint32_t head = trace.heads.back();
  followers_.assign(trace.blockable.words(), 0);
  AccessMask after;
  for (uint32_t i = head; i < order.size(); ++i) {
    if (!order.is_before(head, i)) continue;
    after_last_head_.push_back(i);
    add_slot(followers_, order.slot(i));
    after.add(trace.masks.event(i));
  }
  for (uint32_t slot = 0; slot < order.thread_count(); ++slot) {
    if (!has_slot(followers_, slot) && may_follow_last_head(slot, after))
      add_slot(followers_, slot);
  }
}

// Requires that none of its events does.
bool OptimalShortcuts::may_follow_last_head(uint32_t slot, const AccessMask& after) const {
  const OptimalTrace& trace = trace_;
  const HappensBefore& order = trace.order;
  const uint32_t creator = order.creator(slot);
  if (creator != HappensBefore::kNone && order.is_before(trace.heads.back(), creator)) return true;
  for (uint32_t count = 0; count <= order.length(slot); ++count) {
    if (trace.masks.operation(slot, count).may_conflict(after)) return true;
  }
  return false;
}

// Whether something that the head happens before, and that may come first without the event, may
// happen before the operation.
bool OptimalShortcuts::may_depend_on_last_head(const Reversal& reversal) {
  const OptimalTrace& trace = trace_;
  look_after_last_head();
  const AccessMask& mask = trace.masks.operation(reversal.slot, reversal.count);
  const uint32_t other = trace.other_of(reversal);
  return std::any_of(after_last_head_.begin(), after_last_head_.end(), [&](uint32_t i) {
    return trace.masks.event(i).may_conflict(mask) && trace.may_precede(i, other);
  });
}

// --- the canonical test (optimal_canonical.h), for all sets at once

// Whether the operation is a better head of an open block than the one that it has, wherever it is
// put before the event: it depends on the step that the block reversed, and nothing since the block
// began happens before it.
bool OptimalShortcuts::is_better_head(const Reversal& reversal) {
  OptimalTrace& trace = trace_;
  const uint32_t slot = reversal.slot;
  const uint32_t count = reversal.count;
  const Plan& task = *trace.task;
  const OperationMasks& masks = trace.masks;
  SureAccess sure;
  if (task.blocks.empty() || !masks.is_exact(slot, count)) return false;
  if (!has_sure_access(*trace.replica.operation(slot, count), sure)) return false;
  trace.catch_up();
  const ThreadId thread = trace.order.thread(slot);
  const uint32_t last = trace.order.previous(slot, count);
  return std::any_of(trace.open.rbegin(), trace.open.rend(), [&](size_t number) {
    const PlanBlock& block = task.blocks[number];
    if (thread >= block.head || thread == block.reversed) return false;
    if (last != HappensBefore::kNone && last >= block.begin) return false;
    const Access* reversed = task.block_accesses.data() + block.access_begin;
    const bool depends =
        std::any_of(reversed, reversed + block.access_count, [&](const Access& access) {
          return access.resource == sure.resource &&
                 (access.mode == Mode::Write || sure.mode == Mode::Write);
        });
    return depends && !besides_event().may_conflict(masks.operation(slot, count));
  });
}

// Found once for all reversals of an event. In a long execution it would take too long for each.
const AccessMask& OptimalShortcuts::besides_event() {
  const OptimalTrace& trace = trace_;
  constexpr uint32_t kFewEvents = 256;
  const HappensBefore& order = trace.order;
  if (besides_of_ == trace.event) return besides_;
  besides_of_ = trace.event;
  const uint32_t begin = trace.open_begin();
  const bool is_long = order.size() - begin > kFewEvents;
  besides_ = is_long ? AccessMask::everything() : AccessMask();
  for (uint32_t i = begin; i < order.size() && !is_long; ++i) {
    if (!order.is_before(trace.event, i)) besides_.add(trace.masks.accesses(i));
  }
  return besides_;
}

}  // namespace mazurka
