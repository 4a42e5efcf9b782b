// Stubborn sets (A. Valmari, "Stubborn sets for reduced state space generation", 1989) of the
// actions of a composition: of all actions that are enabled in a state, a search that looks for
// deadlocks and for local states of one component need only follow those of one stubborn set.
//
// A set of actions is stubborn in a state if it has an enabled one (where there is any), and
//   - with an action that is enabled: all that its components can do by themselves there;
//   - with one that is disabled: all that some component can do which keeps it disabled.
// So what is outside of the set neither moves the components of its enabled actions, nor enables
// its disabled ones.
#pragma once

#include <cstdint>
#include <vector>

#include "lts/model/network.h"
#include "lts/model/tester.h"

namespace mazurka::lts {

// The tester is component 0, the processes of the system follow. Each component's internal action
// is an action of its own here.
class StubbornSets {
 public:
  using Action = uint32_t;
  using Locals = const uint32_t*;  // the local state of each component

  // Both must outlive it.
  StubbornSets(const Network& system, const Tester& tester);

  size_t component_count() const { return components_.size(); }
  const ExplicitLts& component(size_t i) const { return *components_[i]; }
  const std::vector<uint32_t>& participants(Action action) const { return participants_[action]; }
  // What its local transitions are called.
  ActionId local_name(Action action) const;

  // Each once.
  const std::vector<Action>& enabled(Locals locals);
  // The enabled actions of a stubborn set with few of them. Requires that enabled() was asked last,
  // for the same state.
  const std::vector<Action>& stubborn(Locals locals);

 private:
  Action action_of(uint32_t component, ActionId name) const;
  bool can(Locals locals, uint32_t component, Action action) const;
  bool is_enabled(Locals locals, Action action) const;
  void add(Action action);
  void add_all_of(Locals locals, uint32_t component);
  uint32_t blocker(Locals locals, Action action) const;
  // How many enabled ones the smallest stubborn set has that contains the action.
  size_t close(Locals locals, Action first);

  std::vector<const ExplicitLts*> components_;
  uint32_t names_;  // actions below it are names; those from it on, internal actions of components
  std::vector<std::vector<uint32_t>> participants_;  // by action
  std::vector<Action> enabled_;
  std::vector<Action> best_;
  std::vector<Action> set_;
  std::vector<bool> is_in_;  // by action
};

}  // namespace mazurka::lts
