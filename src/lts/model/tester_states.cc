#include "lts/model/tester_states.h"

#include <algorithm>

#include "base/check.h"

namespace mazurka::lts {

TesterStates::TesterStates(const Tester& tester) : tester_(tester) {
  intern({static_cast<uint32_t>(tester.lts.initial())});
}

TesterStates::SetId TesterStates::after(SetId set, ActionId action) {
  MAZURKA_CHECK(action != kTau && action != kTauT);
  const auto known = after_.find({set, action});
  if (known != after_.end()) return known->second;
  std::vector<uint32_t> targets;
  for (const uint32_t state : states(set)) {
    for (const Edge& edge : tester_.lts.edges(state, action)) targets.push_back(edge.target);
  }
  const SetId next = intern(targets);
  after_.emplace(std::pair(set, action), next);
  return next;
}

TesterStates::SetId TesterStates::intern(const std::vector<uint32_t>& states) {
  std::vector<bool> is_in(tester_.names.size(), false);
  std::vector<uint32_t> all;
  const auto add = [&](uint32_t state) {
    if (!is_in[state]) all.push_back(state);
    is_in[state] = true;
  };
  for (const uint32_t state : states) add(state);
  for (size_t i = 0; i < all.size(); ++i) {
    for (const Edge& edge : tester_.lts.edges(all[i], kTauT)) add(edge.target);
  }
  std::sort(all.begin(), all.end());
  const auto [place, is_new] = ids_.try_emplace(all, SetId{static_cast<uint32_t>(sets_.size())});
  if (is_new) sets_.push_back(std::move(all));
  return place->second;
}

}  // namespace mazurka::lts
