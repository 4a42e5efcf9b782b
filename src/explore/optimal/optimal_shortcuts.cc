// The shortcuts of the reverse search: most pairs of an event and a thread are seen to have no
// child by looking at clocks and masks, without a replay. They never change what is found:
// optimal_children_test compares with the search that looks at all.
#include <algorithm>

#include "explore/optimal/optimal_children.h"
#include "explore/trace/mentioned_accesses.h"
#include "explore/trace/operation_kinds.h"

namespace mazurka {

// Whether it has another outcome, something follows it immediately, or it may disable somebody. Of
// joins mostly nothing is true.
bool OptimalChildren::may_be_reversed(uint32_t event) const {
  const Digest& digest = order_.digest(event);
  return looks_now_at_all_ || digest.may_have_outcomes || digest.ends_threads ||
         order_.has_successors(event) || blockable_.has_any(masks_.disables(event));
}

// Only threads with an operation that the event immediately precedes, or may disable.
void OptimalChildren::find_among_candidates() {
  const uint32_t mine = order_.slot(event_);
  const uint32_t last_head = heads_.empty() ? 0 : heads_.back();
  if (last_head > event_ && order_.is_before(event_, last_head)) {
    // No set without the event's future has this head in it: it must be what is reversed.
    if (order_.slot(last_head) == mine || !order_.is_immediate(event_, last_head)) return;
    return find_executed(order_.slot(last_head), order_.ordinal(last_head));
  }
  find_other_outcomes();
  const bool kills = order_.digest(event_).ends_threads;
  bool any = kills || blockable_.has_any(masks_.disables(event_));
  clear_slots(executed_, blockable_.words());
  order_.each_successor(event_, [&](uint32_t j) {
    if (masks_.joins_after(j, event_)) return;  // as below, but most threads have one of these
    if (!order_.is_immediate(event_, j)) return;
    add_slot(executed_, order_.slot(j));
    any = true;
  });
  if (!any) return;
  clear_slots(candidates_, blockable_.words());
  if (kills) {
    for (uint32_t s = 0; s < order_.thread_count(); ++s) add_slot(candidates_, s);
  } else {
    blockable_.add_to(candidates_, masks_.disables(event_));
  }
  for (size_t i = 0; i < candidates_.size(); ++i) candidates_[i] |= executed_[i];
  if (last_head > event_) {
    look_after_last_head();
    for (size_t i = 0; i < candidates_.size(); ++i) candidates_[i] &= followers_[i];
  }
  each_slot(candidates_, [&](uint32_t slot) {
    if (slot == mine) return;
    const uint32_t count = order_.not_after(event_, slot);
    if (replica_.operation(slot, count) == nullptr) return;
    if (has_slot(executed_, slot)) find_executed(slot, count);
    find_blocked(slot, count);
  });
}

bool OptimalChildren::may_have_children(const Reversal& reversal) {
  if (looks_now_at_all_) return true;
  const auto [kind, slot, count] = reversal;
  if (kind != Reversal::Kind::OtherOutcome) {
    if (masks_.waits_for(slot, *replica_.operation(slot, count), count, event_)) return false;
    const bool kills = order_.digest(event_).ends_threads;
    const bool disables = (masks_.disabling(slot, count) & masks_.disables(event_)) != 0;
    if (kind == Reversal::Kind::Blocked && !kills && !disables) return false;
  }
  return may_contain_last_head(reversal) && !is_better_head(reversal);
}

// All of the heads after the event must come before the reversed operation, and happen before it.
bool OptimalChildren::may_contain_last_head(const Reversal& reversal) {
  if (heads_.empty() || heads_.back() <= event_) return true;
  const uint32_t head = heads_.back();
  const uint32_t last = order_.previous(reversal.slot, reversal.count);
  if (last != HappensBefore::kNone && order_.is_before(head, last)) return true;
  const uint32_t other = other_of(reversal);
  if (reversal.kind == Reversal::Kind::Executed && order_.is_before(head, other)) return true;
  return may_depend_on_last_head(reversal);
}

// What all reversals of earlier events have in common (may_contain_last_head), found once.
void OptimalChildren::look_after_last_head() {
  if (!after_last_head_.empty()) return;
  const uint32_t head = heads_.back();
  followers_.assign(blockable_.words(), 0);
  AccessMask after;
  for (uint32_t i = head; i < order_.size(); ++i) {
    if (!order_.is_before(head, i)) continue;
    after_last_head_.push_back(i);
    add_slot(followers_, order_.slot(i));
    after.add(masks_.event(i));
  }
  for (uint32_t slot = 0; slot < order_.thread_count(); ++slot) {
    if (!has_slot(followers_, slot) && may_follow_last_head(slot, after))
      add_slot(followers_, slot);
  }
}

// Requires that none of its events does.
bool OptimalChildren::may_follow_last_head(uint32_t slot, const AccessMask& after) const {
  const uint32_t creator = order_.creator(slot);
  if (creator != HappensBefore::kNone && order_.is_before(heads_.back(), creator)) return true;
  for (uint32_t count = 0; count <= order_.length(slot); ++count) {
    if (masks_.operation(slot, count).may_conflict(after)) return true;
  }
  return false;
}

// Whether something that the head happens before, and that may come first without the event, may
// happen before the operation.
bool OptimalChildren::may_depend_on_last_head(const Reversal& reversal) {
  look_after_last_head();
  const AccessMask& mask = masks_.operation(reversal.slot, reversal.count);
  const uint32_t other = other_of(reversal);
  return std::any_of(after_last_head_.begin(), after_last_head_.end(), [&](uint32_t i) {
    return masks_.event(i).may_conflict(mask) && !order_.is_before(event_, i) &&
           (other == HappensBefore::kNone || !order_.is_before(other, i));
  });
}

// --- the canonical test, for all sets at once

// Whether the operation is a better head of an open block than the one that it has, wherever it is
// put before the event: it depends on the step that the block reversed, and nothing since the block
// began happens before it.
bool OptimalChildren::is_better_head(const Reversal& reversal) {
  const auto [kind, slot, count] = reversal;
  SureAccess sure;
  if (task_->blocks.empty() || !masks_.is_exact(slot, count)) return false;
  if (!has_sure_access(*replica_.operation(slot, count), sure)) return false;
  catch_up();
  const ThreadId thread = order_.thread(slot);
  const uint32_t last = order_.previous(slot, count);
  return std::any_of(open_.rbegin(), open_.rend(), [&](size_t number) {
    const PlanBlock& block = task_->blocks[number];
    if (thread >= block.head || thread == block.reversed) return false;
    if (last != HappensBefore::kNone && last >= block.begin) return false;
    const Access* reversed = task_->block_accesses.data() + block.access_begin;
    const bool depends =
        std::any_of(reversed, reversed + block.access_count, [&](const Access& access) {
          return access.resource == sure.resource &&
                 (access.mode == Mode::Write || sure.mode == Mode::Write);
        });
    return depends && !besides_event().may_conflict(masks_.operation(slot, count));
  });
}

// Found once for all reversals of an event. In a long execution it would take too long for each.
const AccessMask& OptimalChildren::besides_event() {
  constexpr uint32_t kFewEvents = 256;
  if (besides_of_ == event_) return besides_;
  besides_of_ = event_;
  uint32_t begin = event_;
  for (size_t number : open_) begin = std::min(begin, task_->blocks[number].begin);
  const bool is_long = order_.size() - begin > kFewEvents;
  besides_ = is_long ? AccessMask::everything() : AccessMask();
  for (uint32_t i = begin; i < order_.size() && !is_long; ++i) {
    if (!order_.is_before(event_, i)) besides_.add(masks_.accesses(i));
  }
  return besides_;
}

}  // namespace mazurka
