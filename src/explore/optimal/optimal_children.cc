#include "explore/optimal/optimal_children.h"

#include <algorithm>
#include <optional>

#include "explore/trace/common_prefix.h"

namespace mazurka {

bool OptimalChildren::find(const Plan& task, const Execution& execution,
                           std::vector<OptimalTask>& out, const Execution* next) {
  read(task, execution, next);
  task_maker_.begin(out);
  uint32_t last = 0;
  for (uint32_t i = 0; i < trace_.order.size(); ++i) {
    if (trace_.is_in_block[i] != 0) continue;
    last = i;
    if (!looks_now_at_all_ && !shortcuts_.may_be_reversed(i)) continue;
    trace_.event = i;
    for (const Reversal& reversal : looks_now_at_all_ ? all_reversals() : shortcuts_.reversals()) {
      try_reversal(reversal);
      if (heads_.is_broken_off()) return false;
    }
  }
  if (is_checked_to_its_end()) trace_.replica.go_to_prefix(std::max(last, kept_for_next_));
  return heads_.has_tried_all() && trace_.replica.is_faithful();
}

// The replica checks all that it replays. What nothing was asked about says whether the log is what
// the models say all the same, and where invisible code changed objects a mistake is not far.
// Otherwise program and replica have made the same of the same beginning by the same code, and a
// look at some executions tells as much as one at all.
bool OptimalChildren::is_checked_to_its_end() {
  constexpr uint64_t kFirst = 1024;
  constexpr uint64_t kOneOf = 8;
  ++found_;
  return look_at_all_ || trace_.order.has_invisible_events() || found_ <= kFirst ||
         found_ % kOneOf == 0;
}

void OptimalChildren::read(const Plan& task, const Execution& execution, const Execution* next) {
  HappensBefore& order = trace_.order;
  const std::optional<uint32_t> common =
      next_ == &execution ? common_prefix(order.execution(), execution) : std::nullopt;
  next_ = look_at_all_ ? nullptr : next;
  kept_for_next_ = next_ == nullptr ? 0 : common_choices(execution, *next);
  order.read(execution, all_dependent_, common.value_or(0));
  looks_now_at_all_ = look_at_all_ || order.uses_signals();
  trace_.masks.read(order, all_dependent_);
  trace_.blockable.read(order, trace_.masks);
  trace_.replica.read(order, task.limits.bound, common.has_value(),
                      next_ == nullptr ? Replica::kNone : kept_for_next_);
  trace_.begin(task);
  shortcuts_.begin();
  heads_.begin(stop_);
}

// --- what could come before the event

const std::vector<Reversal>& OptimalChildren::all_reversals() {
  const HappensBefore& order = trace_.order;
  const uint32_t event = trace_.event;
  reversals_.clear();
  reversals_.push_back({Reversal::Kind::OtherOutcome, order.slot(event), order.ordinal(event)});
  for (uint32_t slot = 0; slot < order.thread_count(); ++slot) {
    const uint32_t count = order.not_after(event, slot);
    if (slot == order.slot(event) || trace_.replica.operation(slot, count) == nullptr) continue;
    if (count < order.length(slot) && order.is_immediate(event, order.event(slot, count)))
      reversals_.push_back({Reversal::Kind::Executed, slot, count});
    reversals_.push_back({Reversal::Kind::Blocked, slot, count});
  }
  return reversals_;
}

void OptimalChildren::try_reversal(const Reversal& reversal) {
  trace_.catch_up();
  switch (reversal.kind) {
    case Reversal::Kind::OtherOutcome:
      return heads_.try_all(reversal, trace_.before);
    case Reversal::Kind::Executed:
      return try_executed(reversal);
    case Reversal::Kind::Blocked:
      return try_blocked(reversal);
  }
}

// Requires that the event is immediately before the thread's.
void OptimalChildren::try_executed(const Reversal& reversal) {
  const HappensBefore& order = trace_.order;
  start_ = trace_.before;
  order.add_history(start_, trace_.other_of(reversal));
  start_[reversal.slot] = reversal.count;
  start_[order.slot(trace_.event)] = order.ordinal(trace_.event);
  heads_.try_all(reversal, start_);
}

void OptimalChildren::try_blocked(const Reversal& reversal) {
  const HappensBefore& order = trace_.order;
  start_ = trace_.before;
  const uint32_t last = order.previous(reversal.slot, reversal.count);
  if (last != HappensBefore::kNone) order.add_history(start_, last);
  // Otherwise the thread does not come to its operation without the event.
  if (!order.contains(start_, trace_.event)) heads_.try_all(reversal, start_);
}

}  // namespace mazurka
