// The states that a tester may be in after a sequence of visible actions: a set, because a tester
// may be nondeterministic and make steps of its own (tau_T). For systems that show one sequence of
// actions after the other, such as the executions of a program.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "lts/model/tester.h"

namespace mazurka::lts {

class TesterStates {
 public:
  // A set of states that has been met; the same set has the same number.
  enum class SetId : uint32_t {};

  // The tester must outlive it.
  explicit TesterStates(const Tester& tester);

  // Before any action.
  SetId initial() const { return SetId{0}; }
  // After one more. Requires that it is visible.
  SetId after(SetId set, ActionId action);

  // Sorted. Empty: the tester does not follow.
  const std::vector<uint32_t>& states(SetId set) const { return sets_[static_cast<uint32_t>(set)]; }
  // Whether the tester has a transition for the action.
  bool follows(uint32_t state, ActionId action) const {
    return !tester_.lts.edges(state, action).empty();
  }

 private:
  // With what tau_T steps lead to.
  SetId intern(const std::vector<uint32_t>& states);

  const Tester& tester_;
  std::deque<std::vector<uint32_t>> sets_;  // a deque does not move what it holds
  std::map<std::vector<uint32_t>, SetId> ids_;
  std::map<std::pair<SetId, ActionId>, SetId> after_;
};

}  // namespace mazurka::lts
