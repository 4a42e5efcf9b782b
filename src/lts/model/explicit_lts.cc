#include "lts/model/explicit_lts.h"

#include <algorithm>

#include "base/check.h"

namespace mazurka::lts {

ExplicitLts::ExplicitLts(uint32_t initial, uint32_t state_count,
                         std::span<const Transition> transitions)
    : initial_(initial), offsets_(size_t{state_count} + 1, 0), edges_(transitions.size()) {
  MAZURKA_CHECK(initial < state_count);
  for (const Transition& t : transitions) {
    MAZURKA_CHECK(t.source < state_count && t.target < state_count);
    ++offsets_[t.source + 1];
  }
  for (size_t s = 0; s < state_count; ++s) offsets_[s + 1] += offsets_[s];
  // Each transition goes to the end of its state's part; afterwards offsets_[s] is where s ends.
  for (const Transition& t : transitions) edges_[offsets_[t.source]++] = {t.action, t.target};
  size_t kept = 0;
  size_t begin = 0;
  for (size_t s = 0; s < state_count; ++s) {
    const size_t end = offsets_[s];
    const auto first = edges_.begin() + static_cast<ptrdiff_t>(begin);
    const auto last = edges_.begin() + static_cast<ptrdiff_t>(end);
    std::sort(first, last);
    const auto unique_end = std::unique(first, last);
    offsets_[s] = kept;
    kept = static_cast<size_t>(
        std::move(first, unique_end, edges_.begin() + static_cast<ptrdiff_t>(kept)) -
        edges_.begin());
    begin = end;
  }
  offsets_[state_count] = kept;
  edges_.resize(kept);
}

bool ExplicitLts::next(State state, Successors& successors) const {
  for (const Edge& edge : edges(static_cast<uint32_t>(state))) {
    successors.append(edge.target, edge.action);
  }
  return true;
}

std::span<const Edge> ExplicitLts::edges(uint32_t state, ActionId action) const {
  const std::span<const Edge> all = edges(state);
  const auto [first, last] =
      std::equal_range(all.begin(), all.end(), Edge{action, 0},
                       [](const Edge& a, const Edge& b) { return a.action < b.action; });
  return {first, last};
}

bool ExplicitLts::has(uint32_t state, Edge edge) const {
  const std::span<const Edge> all = edges(state);
  return std::binary_search(all.begin(), all.end(), edge);
}

std::vector<ActionId> ExplicitLts::actions() const {
  std::vector<bool> seen;
  std::vector<ActionId> result;
  for (const Edge& edge : edges_) {
    if (edge.action == kTau) continue;
    if (index(edge.action) >= seen.size()) seen.resize(index(edge.action) + 1);
    if (seen[index(edge.action)]) continue;
    seen[index(edge.action)] = true;
    result.push_back(edge.action);
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace mazurka::lts
