#include "explore/optimal/optimal_children.h"

#include <algorithm>
#include <atomic>
#include <optional>

#include "explore/trace/operation_kinds.h"
#include "schedule/free_run.h"

namespace mazurka {
namespace {

// Sets that are tried for one reversal. Each that succeeds is a trace of its own; those that fail
// are few but where dozens of readers meet one writer.
constexpr size_t kMaxTried = 1u << 20;

// Field by field in its place: the processor would wait for the parts of a copy before it copies
// across them.
template <typename Steps>
void add_step(const Choice& choice, const Operation& op, Steps& steps) {
  PlannedStep& step = steps.emplace_back();
  step.choice = choice;
  step.kind = op.kind;
  step.object = op.object;
}

}  // namespace

bool OptimalChildren::find(const Plan& task, const Execution& execution,
                           std::vector<OptimalTask>& out, const Execution* next) {
  out_ = &out;
  read(task, execution, next);
  uint32_t last = 0;
  for (uint32_t i = 0; i < order_.size(); ++i) {
    if (is_in_block_[i] != 0) continue;
    last = i;
    if (!may_be_reversed(i)) continue;
    event_ = i;
    find_of_event();
  }
  if (is_checked_to_its_end()) replica_.go_to_prefix(std::max(last, kept_for_next_));
  return all_ && replica_.is_faithful();
}

// The replica checks all that it replays. What nothing was asked about says whether the log is what
// the models say all the same, and where invisible code changed objects a mistake is not far.
// Otherwise program and replica have made the same of the same beginning by the same code, and a
// look at some executions tells as much as one at all.
bool OptimalChildren::is_checked_to_its_end() {
  constexpr uint64_t kFirst = 1024;
  constexpr uint64_t kOneOf = 8;
  ++found_;
  return look_at_all_ || order_.has_invisible_events() || found_ <= kFirst || found_ % kOneOf == 0;
}

void OptimalChildren::read(const Plan& task, const Execution& execution, const Execution* next) {
  task_ = &task;
  schedule_.reset();
  all_ = true;
  const std::optional<uint32_t> common =
      next_ == &execution ? common_prefix(order_.execution(), execution) : std::nullopt;
  next_ = look_at_all_ ? nullptr : next;
  kept_for_next_ = next_ == nullptr ? 0 : common_choices(execution, *next);
  order_.read(execution, all_dependent_, common.value_or(0));
  looks_now_at_all_ = look_at_all_ || order_.uses_signals();
  masks_.read(order_, all_dependent_);
  blockable_.read(order_, masks_);
  replica_.read(order_, task.limits.bound, common.has_value(),
                next_ == nullptr ? Replica::kNone : kept_for_next_);
  is_in_block_.assign(order_.size(), 0);
  heads_.clear();
  for (const PlanBlock& block : task.blocks) {
    for (uint32_t i = block.begin; i < block.end; ++i) is_in_block_[i] = 1;
    heads_.push_back(block.end - 1);
  }
  after_last_head_.clear();
  before_.assign(order_.stride(), 0);
  open_.clear();
  next_block_ = 0;
  reached_ = 0;
  besides_of_ = HappensBefore::kNone;
}

// To what is known before the event; only where it is needed. Blocks open and close as
// FreeRun::note has it.
void OptimalChildren::catch_up() {
  const std::vector<PlanBlock>& blocks = task_->blocks;
  for (;; ++reached_) {
    for (; next_block_ < blocks.size() && blocks[next_block_].end <= reached_; ++next_block_) {
      if (blocks[next_block_].reversed != kNoThread) open_.push_back(next_block_);
    }
    if (reached_ == event_) return;
    before_[order_.slot(reached_)] = order_.ordinal(reached_) + 1;
    if (!open_.empty()) close_blocks(reached_);
  }
}

void OptimalChildren::close_blocks(uint32_t event) {
  const Transition& last = order_.transition(event);
  std::erase_if(open_, [&](size_t i) {
    const PlanBlock& block = task_->blocks[i];
    return block.reversed == last.choice.thread &&
           covers(last.accesses.data(), static_cast<uint32_t>(last.accesses.size()),
                  task_->block_accesses.data() + block.access_begin, block.access_count);
  });
}

// --- what could come before the event

void OptimalChildren::find_of_event() {
  if (looks_now_at_all_) {
    find_among_all();
  } else {
    find_among_candidates();
  }
}

void OptimalChildren::find_among_all() {
  find_other_outcomes();
  for (uint32_t slot = 0; slot < order_.thread_count(); ++slot) {
    const uint32_t count = order_.not_after(event_, slot);
    if (slot == order_.slot(event_) || replica_.operation(slot, count) == nullptr) continue;
    if (count < order_.length(slot) && order_.is_immediate(event_, order_.event(slot, count)))
      find_executed(slot, count);
    find_blocked(slot, count);
  }
}

void OptimalChildren::find_other_outcomes() {
  if (!looks_now_at_all_ && !order_.digest(event_).may_have_outcomes) return;
  const Reversal reversal{Reversal::Kind::OtherOutcome, order_.slot(event_),
                          order_.ordinal(event_)};
  if (!may_have_children(reversal)) return;
  catch_up();
  try_all(reversal, before_);
}

// Requires that the event is immediately before the thread's.
void OptimalChildren::find_executed(uint32_t slot, uint32_t count) {
  const Reversal reversal{Reversal::Kind::Executed, slot, count};
  if (!may_have_children(reversal)) return;
  catch_up();
  start_ = before_;
  order_.add_history(start_, other_of(reversal));
  start_[slot] = count;
  start_[order_.slot(event_)] = order_.ordinal(event_);
  try_all(reversal, start_);
}

void OptimalChildren::find_blocked(uint32_t slot, uint32_t count) {
  const bool kills = order_.digest(event_).ends_threads;
  if (!kills && !looks_now_at_all_ && !may_block(*replica_.operation(slot, count))) return;
  const Reversal reversal{Reversal::Kind::Blocked, slot, count};
  if (!may_have_children(reversal)) return;
  catch_up();
  start_ = before_;
  const uint32_t last = order_.previous(slot, count);
  if (last != HappensBefore::kNone) order_.add_history(start_, last);
  // Otherwise the thread does not come to its operation without the event.
  if (!order_.contains(start_, event_)) try_all(reversal, start_);
}

uint32_t OptimalChildren::other_of(const Reversal& reversal) const {
  const bool happened = reversal.count < order_.length(reversal.slot);
  return happened ? order_.event(reversal.slot, reversal.count) : HappensBefore::kNone;
}

// Whether the event may come before a reversed operation without e. `other` is what became of that.
bool OptimalChildren::may_precede(uint32_t event, uint32_t other) const {
  return !order_.is_before(event_, event) &&
         (other == HappensBefore::kNone || !order_.is_before(other, event));
}

void OptimalChildren::try_all(const Reversal& reversal, const Configuration& start) {
  if (!can_have_heads(reversal)) return;
  replica_.go_to_prefix(event_);
  to_try_.clear();
  seen_.clear();
  set_ = start;
  for (;;) {
    replica_.go_to(set_);
    if (replica_.stands(reversal.slot)) {
      add_larger(reversal, set_);
      try_after(reversal, set_);
    }
    if (to_try_.empty()) return;
    set_ = std::move(to_try_.back());
    to_try_.pop_back();
  }
}

// The sets with one more event that the operation may depend on where it stands now.
void OptimalChildren::add_larger(const Reversal& reversal, const Configuration& set) {
  bool has_label = false;
  const uint32_t other = other_of(reversal);
  for (uint32_t s = 0; s < order_.thread_count(); ++s) {
    for (uint32_t k = set[s]; k < order_.length(s); ++k) {
      const uint32_t event = order_.event(s, k);
      if (!may_precede(event, other)) break;
      if (!has_label) replica_.possible_label(reversal.slot, possible_);
      has_label = true;
      if (!depends(event, possible_)) continue;
      if (!add_to_try(set, event)) return;
      break;
    }
  }
}

bool OptimalChildren::add_to_try(const Configuration& set, uint32_t event) {
  Configuration larger = set;
  order_.add_history(larger, event);
  if (!seen_.insert(larger).second) return true;
  if (seen_.size() > kMaxTried) {
    all_ = false;
    return false;
  }
  to_try_.push_back(std::move(larger));
  return true;
}

// Requires that the replica has gone to the set.
void OptimalChildren::try_after(const Reversal& reversal, const Configuration& set) {
  find_labels(reversal, set);
  if (heads_found_.empty() || !is_parent(reversal, set)) return;
  const bool own = reversal.kind == Reversal::Kind::OtherOutcome;
  for (const Choice head : heads_found_) {
    emit(set, head, *replica_.operation(reversal.slot, reversal.count),
         own ? kNoThread : order_.transition(event_).choice.thread);
  }
}

// The thread's transitions after the set that depend on the event.
void OptimalChildren::find_labels(const Reversal& reversal, const Configuration& set) {
  heads_found_.clear();
  const bool own = reversal.kind == Reversal::Kind::OtherOutcome;
  for (Outcome outcome : replica_.enabled(reversal.slot)) {
    if (own && outcome == order_.transition(event_).choice.outcome) continue;
    replica_.label(reversal.slot, outcome, head_);
    if (!depends(event_, head_) || !is_its_past(set, head_) || !is_canonical(set, head_)) continue;
    heads_found_.push_back(head_.choice);
  }
}

// Whether this trace is the one that the child's last block leads back to: it has the event after
// the set, then the thread's smallest outcome if it is enabled there, and no heads but those.
bool OptimalChildren::is_parent(const Reversal& reversal, const Configuration& set) {
  const bool executed = reversal.kind == Reversal::Kind::Executed;
  const uint32_t other = executed ? other_of(reversal) : HappensBefore::kNone;
  for (auto head = heads_.rbegin(); head != heads_.rend() && *head > event_; ++head) {
    if (*head != other && !order_.contains(set, *head)) return false;
  }
  if (reversal.kind == Reversal::Kind::OtherOutcome) return true;
  const Outcome outcome = executed ? order_.transition(other).choice.outcome : Outcome{0};
  if (executed && outcome == 0) return true;
  with_event_ = set;
  ++with_event_[order_.slot(event_)];
  replica_.go_to(with_event_);
  const std::vector<Outcome>& enabled = replica_.enabled(reversal.slot);
  return executed ? !enabled.empty() && enabled.front() == outcome : enabled.empty();
}

bool OptimalChildren::depends(uint32_t event, const Label& label) const {
  if (label.touches_everything || order_.touches_everything(event) ||
      order_.thread(order_.slot(event)) == label.choice.thread) {
    return true;
  }
  return masks_.accesses(event).may_conflict(label.mask) &&
         order_.conflicts(event, label.accesses.data(),
                          static_cast<uint32_t>(label.accesses.size()));
}

// In a long execution it is true of the latest events only.
bool OptimalChildren::can_have_heads(const Reversal& reversal) const {
  const uint32_t other = other_of(reversal);
  const bool executed = reversal.kind == Reversal::Kind::Executed;
  for (auto head = heads_.rbegin(); head != heads_.rend() && *head > event_; ++head) {
    if (!(executed && *head == other) && !may_precede(*head, other)) return false;
  }
  return true;
}

// Whether all of the set that came after the event happens before the head, and not only through
// the event in this execution. If not, the set is larger than the block, and another trace is the
// parent.
bool OptimalChildren::is_its_past(const Configuration& set, const Label& head) {
  if (set == before_) return true;
  history_ = before_;
  all_new(set, [&](uint32_t i) {
    if (depends(i, head)) order_.add_history(history_, i);
    return true;
  });
  return history_ == set;
}

// --- the child

// The execution did what its plan says, as far as that went.
std::shared_ptr<const OptimalSchedule> OptimalChildren::make_schedule() {
  std::shared_ptr<OptimalSchedule> made = unused_schedule();
  made->steps.reserve(order_.size());
  made->steps.assign(task_->prefix.begin(), task_->prefix.end());
  for (auto i = static_cast<uint32_t>(made->steps.size()); i < order_.size(); ++i) {
    add_step(order_.transition(i).choice, order_.transition(i).op, made->steps);
  }
  made->blocks = task_->blocks;
  made->block_accesses = task_->block_accesses;
  return made;
}

// One that no task needs any more. If half of them are in use, a new one: so there are never more
// than twice as many as were needed at once, and the walk is short on average.
std::shared_ptr<OptimalSchedule> OptimalChildren::unused_schedule() {
  for (size_t tried = 0; tried < schedules_.size() / 2 + 1 && !schedules_.empty(); ++tried) {
    next_schedule_ = (next_schedule_ + 1) % schedules_.size();
    if (schedules_[next_schedule_].use_count() > 1) continue;
    std::atomic_thread_fence(std::memory_order_acquire);  // another worker may have read it last
    return schedules_[next_schedule_];
  }
  return schedules_.emplace_back(std::make_shared<OptimalSchedule>());
}

void OptimalChildren::emit(const Configuration& set, Choice head, const Operation& op,
                           ThreadId reversed) {
  if (schedule_ == nullptr) schedule_ = make_schedule();
  OptimalTask child;
  child.parent = schedule_;
  all_new(set, [&](uint32_t i) {
    add_step(order_.transition(i).choice, order_.transition(i).op, child.steps);
    return true;
  });
  add_step(head, op, child.steps);
  uint32_t kept = 0;
  for (const PlanBlock& block : task_->blocks) {
    if (block.end > event_) break;
    kept = block.access_begin + block.access_count;
  }
  child.accesses = order_.transition(event_).accesses;
  child.block = {event_, event_ + static_cast<uint32_t>(child.steps.size()), reversed, head.thread,
                 kept,   static_cast<uint32_t>(child.accesses.size())};
  out_->push_back(std::move(child));
}

}  // namespace mazurka
