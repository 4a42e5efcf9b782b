#include "explore/findings/tester_watch.h"

#include <algorithm>

namespace mazurka {

TesterWatch::TesterWatch(std::shared_ptr<const ProgramTester> tester, const Program& program,
                         uint32_t bound)
    : tester_(std::move(tester)), program_(program), bound_(bound), states_(tester_->tester) {}

std::optional<lts::ActionId> TesterWatch::action_of(const Operation& op) {
  if (op.kind != OpKind::Event) return std::nullopt;
  if (known_.size() <= index(op.object)) known_.resize(index(op.object) + 1u);
  Known& known = known_[index(op.object)];
  if (known.asked) return known.action;
  const std::string name = program_.object_name(op.object);
  if (name.empty()) {  // every event has a name
    has_seen_all_ = false;
    return std::nullopt;
  }
  known.asked = true;
  const auto action = tester_->actions.find(name);
  const std::vector<lts::ActionId>& visible = tester_->tester.visible;
  if (action && std::binary_search(visible.begin(), visible.end(), *action)) known.action = action;
  return known.action;
}

// Also those that come where the tester looks no longer.
void TesterWatch::note_events(const Execution& execution) {
  if (made_.size() == tester_->tester.visible.size()) return;
  for (const Transition& transition : execution.transitions) {
    if (const auto action = action_of(transition.op)) made_.insert(*action);
  }
}

std::vector<std::string> TesterWatch::events_never_made() const {
  std::vector<std::string> names;
  for (const lts::ActionId action : tester_->tester.visible) {
    if (made_.count(action) == 0) names.emplace_back(tester_->actions.name(action));
  }
  return names;
}

std::vector<Sighting> TesterWatch::sightings(const Execution& execution) {
  execution_ = &execution;
  found_.clear();
  events_.clear();
  is_read_ = false;
  note_events(execution);
  SetId set = states_.initial();
  look_for_rejects({}, set, 0);
  for (uint32_t i = 0; i < execution.transitions.size(); ++i) {
    const auto action = action_of(execution.transitions[i].op);
    if (!action) continue;
    look_before(i, *action, set);
    events_.emplace_back(tester_->actions.name(*action));
    const SetId next = states_.after(set, *action);
    look_for_rejects(states_.states(set), next, i + 1);
    set = next;
    if (states_.states(set).empty()) return std::move(found_);
  }
  look_at_end(set);
  return std::move(found_);
}

// --- illegal finite traces

// A reject state that the tester was in before has been reported.
void TesterWatch::look_for_rejects(const std::vector<uint32_t>& before, SetId set,
                                   uint32_t length) {
  for (const uint32_t state : states_.states(set)) {
    if (!has(state, lts::kReject)) continue;
    if (std::binary_search(before.begin(), before.end(), state)) continue;
    Sighting sighting{FindingKind::Tester, {}, length};
    sighting.tester = about(lts::ViolationKind::IllegalFiniteTrace, state);
    sighting.standpoints = standpoints_of(culprits(sighting, *execution_));
    found_.push_back(std::move(sighting));
  }
}

// --- illegal stable failures

void TesterWatch::look_before(uint32_t event, lts::ActionId action, SetId set) {
  if (!may_refuse(set, action)) return;
  if (!go_before(event) || !read_offers()) return;
  for (const uint32_t state : states_.states(set)) {
    const auto is_followed = [&](lts::ActionId offer) { return states_.follows(state, offer); };
    if (!has(state, lts::kDeadlock)) continue;
    if (std::any_of(offers_.begin(), offers_.end(), is_followed)) continue;
    add_failure(state, standing(), steps_there());
  }
}

// The event itself is enabled there.
bool TesterWatch::may_refuse(SetId set, lts::ActionId action) const {
  const std::vector<uint32_t>& states = states_.states(set);
  return std::any_of(states.begin(), states.end(), [&](uint32_t state) {
    return has(state, lts::kDeadlock) && !states_.follows(state, action);
  });
}

// What comes before the event in the schedule is part of it.
bool TesterWatch::go_before(uint32_t event) {
  if (replica_ == nullptr) replica_ = std::make_unique<Replica>();
  if (!is_read_) {
    order_.read(*execution_);
    replica_->read(order_, bound_);
    is_read_ = true;
  }
  order_.without_future(event, there_);
  replica_->go_to_prefix(event);
  replica_->go_to(there_);
  has_seen_all_ = has_seen_all_ && replica_->is_faithful();
  return replica_->is_faithful();
}

// A thread that stands at its bound could go on, if it were not for the bound.
bool TesterWatch::read_offers() {
  offers_.clear();
  for (uint32_t slot = 0; slot < order_.thread_count(); ++slot) {
    if (!replica_->stands(slot)) continue;
    if (replica_->stands_at_bound(slot)) return false;
    if (replica_->enabled(slot).empty()) continue;
    const auto action = action_of(*replica_->operation(slot, there_[slot]));
    if (!action) return false;
    offers_.push_back(*action);
  }
  return true;
}

std::vector<ThreadId> TesterWatch::standing() const {
  std::vector<ThreadId> threads;
  for (uint32_t slot = 0; slot < order_.thread_count(); ++slot) {
    if (replica_->stands(slot)) threads.push_back(order_.thread(slot));
  }
  return threads;
}

std::vector<uint32_t> TesterWatch::steps_there() const {
  std::vector<uint32_t> steps;
  for (uint32_t i = 0; i < order_.size(); ++i) {
    if (order_.contains(there_, i)) steps.push_back(i);
  }
  return steps;
}

// A normal end counts as stopping. At a bound the program has not stopped.
void TesterWatch::look_at_end(SetId set) {
  if (execution_->end != End::Finished && execution_->end != End::Deadlock) return;
  std::vector<ThreadId> threads;
  for (const ThreadAtEnd& thread : execution_->threads) {
    if (thread.status == ThreadStatus::AtOperation) threads.push_back(thread.id);
  }
  std::vector<uint32_t> steps(execution_->transitions.size());
  for (uint32_t i = 0; i < steps.size(); ++i) steps[i] = i;
  for (const uint32_t state : states_.states(set)) {
    if (has(state, lts::kDeadlock)) add_failure(state, threads, steps);
  }
}

// --- sightings

TesterSighting TesterWatch::about(lts::ViolationKind kind, uint32_t state) const {
  const lts::Tester& tester = tester_->tester;
  return {kind, tester.name, tester.names[state], events_};
}

void TesterWatch::add_failure(uint32_t state, const std::vector<ThreadId>& threads,
                              std::vector<uint32_t> steps) {
  Sighting sighting{FindingKind::Tester, {}, static_cast<uint32_t>(steps.size())};
  sighting.tester = about(lts::ViolationKind::IllegalStableFailure, state);
  sighting.steps = std::move(steps);
  sighting.standpoints = standpoints_of(standing_after(sighting.steps, threads, *execution_));
  found_.push_back(std::move(sighting));
}

}  // namespace mazurka
