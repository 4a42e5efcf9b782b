#include "explore/optimal_children.h"

#include <algorithm>

#include "explore/operation_kinds.h"
#include "objects/free_run.h"

namespace mazurka {
namespace {

// Sets that are tried for one reversal. Each that succeeds is a trace of its own; those that fail
// are few but where dozens of readers meet one writer.
constexpr size_t kMaxTried = 1u << 20;

PlannedStep step_of(const Transition& made) {
  return {made.choice, made.op.kind, {}, made.op.object};
}

}  // namespace

bool OptimalChildren::find(const Plan& task, const Execution& execution,
                           std::vector<OptimalTask>& out) {
  task_ = &task;
  out_ = &out;
  schedule_.reset();
  all_ = true;
  order_.read(execution, all_dependent_);
  replica_.read(order_, task.limits.bound);
  is_in_block_.assign(order_.size(), false);
  heads_.clear();
  for (const PlanBlock& block : task.blocks) {
    for (uint32_t i = block.begin; i < block.end; ++i) is_in_block_[i] = true;
    heads_.push_back(block.end - 1);
  }
  before_.assign(order_.thread_count(), 0);
  open_.clear();
  next_block_ = 0;
  for (uint32_t i = 0; i < order_.size(); ++i) {
    move_on(i);
    if (!is_in_block_[i]) find_of(i);
  }
  return all_ && replica_.is_faithful();
}

// To the state before the event. Blocks open and close as FreeRun::note has it.
void OptimalChildren::move_on(uint32_t event) {
  event_ = event;
  if (event > 0) {
    const Transition& last = order_.transition(event - 1);
    before_[order_.slot(event - 1)] = order_.ordinal(event - 1) + 1;
    std::erase_if(open_, [&](size_t i) {
      const PlanBlock& block = task_->blocks[i];
      return block.reversed == last.choice.thread &&
             covers(last.accesses.data(), static_cast<uint32_t>(last.accesses.size()),
                    task_->block_accesses.data() + block.access_begin, block.access_count);
    });
  }
  const std::vector<PlanBlock>& blocks = task_->blocks;
  for (; next_block_ < blocks.size() && blocks[next_block_].end <= event; ++next_block_) {
    if (blocks[next_block_].reversed != kNoThread) open_.push_back(next_block_);
  }
}

// --- what could come before the event

void OptimalChildren::find_of(uint32_t event) {
  replica_.go_to_prefix(event);
  order_.without_future(event, not_after_);
  const auto after = std::upper_bound(heads_.begin(), heads_.end(), event);
  heads_after_.assign(after, heads_.end());
  find_other_outcomes();
  for (uint32_t slot = 0; slot < order_.thread_count(); ++slot) {
    const uint32_t count = not_after_[slot];
    if (slot == order_.slot(event) || replica_.operation(slot, count) == nullptr) continue;
    if (count < order_.length(slot)) find_executed(slot, count);
    find_blocked(slot, count);
  }
}

void OptimalChildren::find_other_outcomes() {
  const uint32_t slot = order_.slot(event_);
  const uint32_t count = order_.ordinal(event_);
  if (!may_have_outcomes(order_.transition(event_).op)) return;
  try_all({Reversal::Kind::OtherOutcome, slot, count}, before_);
}

void OptimalChildren::find_executed(uint32_t slot, uint32_t count) {
  const uint32_t other = order_.event(slot, count);
  const uint32_t mine = order_.slot(event_);
  const uint32_t* history = order_.history(other);
  if (history[mine] != order_.ordinal(event_) + 1) return;
  for (uint32_t s = 0; s < order_.thread_count(); ++s) {
    if (s != mine && s != slot && history[s] > not_after_[s]) return;
  }
  Configuration start = before_;
  order_.add_history(start, other);
  start[slot] = count;
  start[mine] = order_.ordinal(event_);
  try_all({Reversal::Kind::Executed, slot, count}, start);
}

void OptimalChildren::find_blocked(uint32_t slot, uint32_t count) {
  const bool kills = ends_threads(order_.transition(event_));
  if (!kills && !may_block(*replica_.operation(slot, count))) return;
  Configuration start = before_;
  const uint32_t last = count > 0 ? order_.event(slot, count - 1) : order_.creator(slot);
  if (last != HappensBefore::kNone) order_.add_history(start, last);
  // Otherwise the thread does not come to its operation without the event.
  if (!order_.contains(start, event_)) try_all({Reversal::Kind::Blocked, slot, count}, start);
}

void OptimalChildren::try_all(const Reversal& reversal, const Configuration& start) {
  Configuration most = not_after_;
  if (reversal.count < order_.length(reversal.slot)) {
    order_.without_future(order_.event(reversal.slot, reversal.count), most);
    for (size_t s = 0; s < most.size(); ++s) most[s] = std::min(most[s], not_after_[s]);
  }
  const bool executed = reversal.kind == Reversal::Kind::Executed;
  const uint32_t other =
      executed ? order_.event(reversal.slot, reversal.count) : HappensBefore::kNone;
  if (!can_have_heads(most, other)) return;
  seen_.clear();
  to_try_.assign(1, start);
  while (!to_try_.empty()) {
    const Configuration set = std::move(to_try_.back());
    to_try_.pop_back();
    replica_.go_to(set);
    if (!replica_.stands(reversal.slot)) continue;
    add_larger(reversal, set, most);
    try_after(reversal, set);
  }
}

// The sets with one more event that the operation may depend on where it stands now.
void OptimalChildren::add_larger(const Reversal& reversal, const Configuration& set,
                                 const Configuration& most) {
  if (set == most) return;
  const Label possible = replica_.possible_label(reversal.slot);
  for (uint32_t s = 0; s < order_.thread_count(); ++s) {
    uint32_t k = set[s];
    while (k < most[s] && !depends(order_.event(s, k), possible)) ++k;
    if (k >= most[s]) continue;
    Configuration larger = set;
    order_.add_history(larger, order_.event(s, k));
    if (!seen_.insert(larger).second) continue;
    if (seen_.size() > kMaxTried) {
      all_ = false;
      return;
    }
    to_try_.push_back(std::move(larger));
  }
}

// Requires that the replica has gone to the set.
void OptimalChildren::try_after(const Reversal& reversal, const Configuration& set) {
  const std::vector<Label> heads = labels(reversal, set);
  if (heads.empty() || !is_parent(reversal, set)) return;
  const bool own = reversal.kind == Reversal::Kind::OtherOutcome;
  for (const Label& head : heads) {
    emit(set, head, *replica_.operation(reversal.slot, reversal.count),
         own ? kNoThread : order_.transition(event_).choice.thread);
  }
}

// The thread's transitions after the set that depend on the event.
std::vector<Label> OptimalChildren::labels(const Reversal& reversal, const Configuration& set) {
  std::vector<Label> found;
  const bool own = reversal.kind == Reversal::Kind::OtherOutcome;
  for (Outcome outcome : replica_.enabled(reversal.slot)) {
    if (own && outcome == order_.transition(event_).choice.outcome) continue;
    Label head = replica_.label(reversal.slot, outcome);
    if (!depends(event_, head) || !is_its_past(set, head) || !is_canonical(set, head)) continue;
    found.push_back(std::move(head));
  }
  return found;
}

// Whether this trace is the one that the child's last block leads back to: it has the event after
// the set, then the thread's smallest outcome if it is enabled there, and no heads but those.
bool OptimalChildren::is_parent(const Reversal& reversal, const Configuration& set) {
  const bool executed = reversal.kind == Reversal::Kind::Executed;
  const uint32_t other =
      executed ? order_.event(reversal.slot, reversal.count) : HappensBefore::kNone;
  for (uint32_t head : heads_after_) {
    if (head != other && !order_.contains(set, head)) return false;
  }
  if (reversal.kind == Reversal::Kind::OtherOutcome) return true;
  const Outcome outcome = executed ? order_.transition(other).choice.outcome : Outcome{0};
  if (executed && outcome == 0) return true;
  Configuration with_event = set;
  ++with_event[order_.slot(event_)];
  replica_.go_to(with_event);
  const std::vector<Outcome>& enabled = replica_.enabled(reversal.slot);
  return executed ? !enabled.empty() && enabled.front() == outcome : enabled.empty();
}

bool OptimalChildren::depends(uint32_t event, const Label& label) const {
  return order_.transition(event).choice.thread == label.choice.thread ||
         label.touches_everything || all_dependent_ ||
         order_.conflicts(event, label.accesses.data(),
                          static_cast<uint32_t>(label.accesses.size()));
}

// Before anything else: in a long execution it is true of the latest events only.
bool OptimalChildren::can_have_heads(const Configuration& most, uint32_t other) const {
  return std::all_of(heads_after_.rbegin(), heads_after_.rend(),
                     [&](uint32_t head) { return head == other || order_.contains(most, head); });
}

// What would happen before the head, with all that came before the event: not what it only gets
// through the event in this execution.
Configuration OptimalChildren::history_of(const Label& head, const Configuration& set) const {
  Configuration history = before_;
  all_new(set, [&](uint32_t i) {
    if (depends(i, head)) order_.add_history(history, i);
    return true;
  });
  return history;
}

// Whether all of the set that came after the event happens before the head. If not, the set is
// larger than the block, and another trace is the parent.
bool OptimalChildren::is_its_past(const Configuration& set, const Label& head) const {
  return history_of(head, set) == set;
}

// --- the child

std::shared_ptr<const OptimalSchedule> OptimalChildren::make_schedule() const {
  auto made = std::make_shared<OptimalSchedule>();
  for (uint32_t i = 0; i < order_.size(); ++i) made->steps.push_back(step_of(order_.transition(i)));
  made->blocks = task_->blocks;
  made->block_accesses = task_->block_accesses;
  return made;
}

void OptimalChildren::emit(const Configuration& set, const Label& head, const Operation& op,
                           ThreadId reversed) {
  if (schedule_ == nullptr) schedule_ = make_schedule();
  OptimalTask child;
  child.parent = schedule_;
  all_new(set, [&](uint32_t i) {
    child.steps.push_back(step_of(order_.transition(i)));
    return true;
  });
  child.steps.push_back({head.choice, op.kind, {}, op.object});
  uint32_t kept = 0;
  for (const PlanBlock& block : task_->blocks) {
    if (block.end > event_) break;
    kept = block.access_begin + block.access_count;
  }
  child.accesses = order_.transition(event_).accesses;
  child.block = {event_,   event_ + static_cast<uint32_t>(child.steps.size()),
                 reversed, head.choice.thread,
                 kept,     static_cast<uint32_t>(child.accesses.size())};
  out_->push_back(std::move(child));
}

}  // namespace mazurka
