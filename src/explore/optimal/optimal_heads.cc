#include "explore/optimal/optimal_heads.h"

namespace mazurka {
namespace {

// Sets that are tried for one reversal. Each that succeeds is a trace of its own; those that fail
// are few but where dozens of readers meet one writer.
constexpr size_t kMaxTried = 1u << 20;

}  // namespace

void OptimalHeads::try_all(const Reversal& reversal, const Configuration& start) {
  MAZURKA_DEBUG_CHECK(!trace_.order.contains(start, trace_.event));
  if (!can_have_heads(reversal)) return;
  trace_.replica.go_to_prefix(trace_.event);
  to_try_.clear();
  seen_.clear();
  set_ = start;
  for (;;) {
    trace_.replica.go_to(set_);
    if (trace_.replica.stands(reversal.slot)) {
      add_larger(reversal, set_);
      try_after(reversal, set_);
    }
    if (to_try_.empty() || watch_.is_overdue()) return;
    set_ = std::move(to_try_.back());
    to_try_.pop_back();
  }
}

// In a long execution it is true of the latest events only.
bool OptimalHeads::can_have_heads(const Reversal& reversal) const {
  const std::vector<uint32_t>& heads = trace_.heads;
  const uint32_t other = trace_.other_of(reversal);
  const bool executed = reversal.kind == Reversal::Kind::Executed;
  for (auto head = heads.rbegin(); head != heads.rend() && *head > trace_.event; ++head) {
    if (!(executed && *head == other) && !trace_.may_precede(*head, other)) return false;
  }
  return true;
}

// The sets with one more event that the operation may depend on where it stands now.
void OptimalHeads::add_larger(const Reversal& reversal, const Configuration& set) {
  OptimalTrace& trace = trace_;
  const HappensBefore& order = trace.order;
  bool has_label = false;
  const uint32_t other = trace.other_of(reversal);
  for (uint32_t s = 0; s < order.thread_count(); ++s) {
    for (uint32_t k = set[s]; k < order.length(s); ++k) {
      const uint32_t event = order.event(s, k);
      if (!trace.may_precede(event, other)) break;
      if (!has_label) trace.replica.possible_label(reversal.slot, possible_);
      has_label = true;
      if (!trace.depends(event, possible_)) continue;
      if (!add_to_try(set, event)) return;
      break;
    }
  }
}

bool OptimalHeads::add_to_try(const Configuration& set, uint32_t event) {
  Configuration larger = set;
  trace_.order.add_history(larger, event);
  if (!seen_.insert(larger).second) return true;
  if (seen_.size() > kMaxTried) {
    has_tried_all_ = false;
    return false;
  }
  to_try_.push_back(std::move(larger));
  return true;
}

// Requires that the replica has gone to the set.
void OptimalHeads::try_after(const Reversal& reversal, const Configuration& set) {
  find_heads(reversal, set);
  if (heads_.empty() || !is_parent(reversal, set)) return;
  const bool own = reversal.kind == Reversal::Kind::OtherOutcome;
  for (const Choice head : heads_) {
    children_.add(set, head, *trace_.replica.operation(reversal.slot, reversal.count),
                  own ? kNoThread : trace_.order.transition(trace_.event).choice.thread);
  }
}

// The thread's transitions after the set that depend on the event.
void OptimalHeads::find_heads(const Reversal& reversal, const Configuration& set) {
  OptimalTrace& trace = trace_;
  heads_.clear();
  const uint32_t event = trace.event;
  const bool own = reversal.kind == Reversal::Kind::OtherOutcome;
  for (Outcome outcome : trace.replica.enabled(reversal.slot)) {
    if (own && outcome == trace.order.transition(event).choice.outcome) continue;
    trace.replica.label(reversal.slot, outcome, head_);
    if (!trace.depends(event, head_) || !is_its_past(set, head_) || !canonical_.passes(set, head_))
      continue;
    heads_.push_back(head_.choice);
  }
}

// Whether all of the set that came after the event happens before the head, and not only through
// the event in this execution. If not, the set is larger than the block, and another trace is the
// parent.
bool OptimalHeads::is_its_past(const Configuration& set, const Label& head) {
  if (set == trace_.before) return true;
  history_ = trace_.before;
  trace_.all_new(set, [&](uint32_t i) {
    if (trace_.depends(i, head)) trace_.order.add_history(history_, i);
    return true;
  });
  return history_ == set;
}

// Whether this trace is the one that the child's last block leads back to: it has the event after
// the set, then the thread's smallest outcome if it is enabled there, and no heads but those.
bool OptimalHeads::is_parent(const Reversal& reversal, const Configuration& set) {
  const HappensBefore& order = trace_.order;
  const std::vector<uint32_t>& heads = trace_.heads;
  const bool executed = reversal.kind == Reversal::Kind::Executed;
  const uint32_t other = executed ? trace_.other_of(reversal) : HappensBefore::kNone;
  for (auto head = heads.rbegin(); head != heads.rend() && *head > trace_.event; ++head) {
    if (*head != other && !order.contains(set, *head)) return false;
  }
  if (reversal.kind == Reversal::Kind::OtherOutcome) return true;
  const Outcome outcome = executed ? order.transition(other).choice.outcome : Outcome{0};
  if (executed && outcome == 0) return true;
  with_event_ = set;
  ++with_event_[order.slot(trace_.event)];
  trace_.replica.go_to(with_event_);
  const std::vector<Outcome>& enabled = trace_.replica.enabled(reversal.slot);
  return executed ? !enabled.empty() && enabled.front() == outcome : enabled.empty();
}

}  // namespace mazurka
