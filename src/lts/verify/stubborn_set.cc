#include "lts/verify/stubborn_set.h"

#include <algorithm>

namespace mazurka::lts {

StubbornSets::StubbornSets(const Network& system, const Tester& tester)
    : names_(static_cast<uint32_t>(system.actions.size())) {
  components_.push_back(&tester.lts);
  for (const Process& process : system.processes) components_.push_back(&process.lts);
  const auto count = static_cast<uint32_t>(components_.size());
  participants_.resize(names_ + count);
  is_in_.resize(participants_.size(), false);
  participants_[index(kTauT)].push_back(0);
  for (const ActionId action : tester.visible) participants_[index(action)].push_back(0);
  for (uint32_t i = 1; i < count; ++i) {
    for (const ActionId action : system.processes[i - 1].alphabet) {
      participants_[index(action)].push_back(i);
    }
  }
  for (uint32_t i = 0; i < count; ++i) participants_[names_ + i].push_back(i);
}

ActionId StubbornSets::local_name(Action action) const {
  return action < names_ ? ActionId{action} : kTau;
}

StubbornSets::Action StubbornSets::action_of(uint32_t component, ActionId name) const {
  return name == kTau ? names_ + component : index(name);
}

bool StubbornSets::can(Locals locals, uint32_t component, Action action) const {
  return !components_[component]->edges(locals[component], local_name(action)).empty();
}

bool StubbornSets::is_enabled(Locals locals, Action action) const {
  const std::vector<uint32_t>& all = participants_[action];
  return std::all_of(all.begin(), all.end(), [&](uint32_t i) { return can(locals, i, action); });
}

// An action is listed by the first component that takes part in it.
const std::vector<StubbornSets::Action>& StubbornSets::enabled(Locals locals) {
  enabled_.clear();
  for (uint32_t i = 0; i < components_.size(); ++i) {
    for (const Edge& edge : components_[i]->edges(locals[i])) {
      const Action action = action_of(i, edge.action);
      if (participants_[action].front() != i || !is_enabled(locals, action)) continue;
      if (enabled_.empty() || enabled_.back() != action) enabled_.push_back(action);
    }
  }
  return enabled_;
}

const std::vector<StubbornSets::Action>& StubbornSets::stubborn(Locals locals) {
  best_ = enabled_;
  for (size_t i = 0; i < enabled_.size() && best_.size() > 1; ++i) {
    if (close(locals, enabled_[i]) >= best_.size()) continue;
    best_.clear();
    for (const Action action : set_) {
      if (is_enabled(locals, action)) best_.push_back(action);
    }
  }
  return best_;
}

void StubbornSets::add(Action action) {
  if (is_in_[action]) return;
  is_in_[action] = true;
  set_.push_back(action);
}

void StubbornSets::add_all_of(Locals locals, uint32_t component) {
  for (const Edge& edge : components_[component]->edges(locals[component])) {
    add(action_of(component, edge.action));
  }
}

// Of those that cannot do it, the one that can do least.
uint32_t StubbornSets::blocker(Locals locals, Action action) const {
  uint32_t best = UINT32_MAX;
  size_t least = SIZE_MAX;
  for (const uint32_t i : participants_[action]) {
    const size_t count = components_[i]->edges(locals[i]).size();
    if (can(locals, i, action) || count >= least) continue;
    best = i;
    least = count;
  }
  return best;
}

size_t StubbornSets::close(Locals locals, Action first) {
  for (const Action action : set_) is_in_[action] = false;
  set_.clear();
  add(first);
  size_t enabled_ones = 0;
  for (size_t i = 0; i < set_.size(); ++i) {
    const Action action = set_[i];
    if (!is_enabled(locals, action)) {
      add_all_of(locals, blocker(locals, action));
      continue;
    }
    ++enabled_ones;
    for (const uint32_t component : participants_[action]) add_all_of(locals, component);
  }
  return enabled_ones;
}

}  // namespace mazurka::lts
