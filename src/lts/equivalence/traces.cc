#include "lts/equivalence/traces.h"

#include <algorithm>
#include <map>

#include "lts/equivalence/bisimulation.h"

namespace mazurka::lts {
namespace {

using StateSet = std::vector<uint32_t>;  // sorted

// The sets of states behind one trace, numbered as they are met.
class Determinisation {
 public:
  explicit Determinisation(const ExplicitLts& lts) : lts_(lts), in_set_(lts.state_count(), false) {}

  uint32_t initial() { return number({static_cast<uint32_t>(lts_.initial())}); }

  // By action, in order.
  std::map<ActionId, uint32_t> next(uint32_t set) {
    std::map<ActionId, StateSet> targets;
    for (const uint32_t state : *sets_[set]) {
      for (const Edge& edge : lts_.edges(state)) {
        if (edge.action != kTau) targets[edge.action].push_back(edge.target);
      }
    }
    std::map<ActionId, uint32_t> result;
    for (auto& [action, states] : targets) result[action] = number(std::move(states));
    return result;
  }

  size_t bytes() const { return bytes_; }

 private:
  // Of the states and what internal steps lead to.
  uint32_t number(StateSet states) {
    StateSet closed;
    for (size_t i = 0; i < states.size(); ++i) {
      if (in_set_[states[i]]) continue;
      in_set_[states[i]] = true;
      closed.push_back(states[i]);
      for (const Edge& edge : lts_.edges(states[i], kTau)) states.push_back(edge.target);
    }
    for (const uint32_t state : closed) in_set_[state] = false;
    std::sort(closed.begin(), closed.end());
    const auto [place, is_new] = numbers_.emplace(std::move(closed), sets_.size());
    if (is_new) {
      sets_.push_back(&place->first);
      bytes_ += place->first.size() * sizeof(uint32_t) + kNodeBytes;
    }
    return place->second;
  }

  static constexpr size_t kNodeBytes = 96;  // of the map, about

  const ExplicitLts& lts_;
  std::vector<bool> in_set_;
  std::map<StateSet, uint32_t> numbers_;
  std::vector<const StateSet*> sets_;  // the keys of numbers_, which do not move
  size_t bytes_ = 0;
};

// Which sets are known to have the same traces unless a difference turns up later (Hopcroft and
// Karp).
class UnionFind {
 public:
  uint32_t find(uint32_t i) {
    while (i >= parent_.size()) parent_.push_back(static_cast<uint32_t>(parent_.size()));
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  bool unite(uint32_t i, uint32_t j) {
    i = find(i);
    j = find(j);
    parent_[std::max(i, j)] = std::min(i, j);
    return i != j;
  }

 private:
  std::vector<uint32_t> parent_;
};

struct Pair {
  uint32_t first, second;
  size_t origin;
  ActionId action;
};

std::vector<ActionId> trace_to(const std::vector<Pair>& pairs, size_t i, ActionId last) {
  std::vector<ActionId> trace = {last};
  for (; i != 0; i = pairs[i].origin) trace.push_back(pairs[i].action);
  std::reverse(trace.begin(), trace.end());
  return trace;
}

// An action that only one of them has, and whether that is the first.
using Next = std::map<ActionId, uint32_t>;
std::optional<std::pair<ActionId, bool>> difference(const Next& first, const Next& second) {
  for (const auto& [action, target] : first) {
    if (second.count(action) == 0) return std::pair(action, true);
  }
  for (const auto& [action, target] : second) {
    if (first.count(action) == 0) return std::pair(action, false);
  }
  return std::nullopt;
}

}  // namespace

TraceComparison compare_traces(const ExplicitLts& a, const ExplicitLts& b, size_t memory) {
  Determinisation first(a);
  Determinisation second(b);
  UnionFind same;  // sets of `first` have even numbers, those of `second` odd ones
  std::vector<Pair> pairs = {{first.initial(), second.initial(), 0, kTau}};
  same.unite(2 * pairs[0].first, 2 * pairs[0].second + 1);
  TraceComparison result;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const Next next_first = first.next(pairs[i].first);
    const Next next_second = second.next(pairs[i].second);
    if (const auto found = difference(next_first, next_second)) {
      result.equal = false;
      result.trace = trace_to(pairs, i, found->first);
      result.first_has_it = found->second;
      return result;
    }
    for (const auto& [action, target] : next_first) {
      const uint32_t other = next_second.at(action);
      if (same.unite(2 * target, 2 * other + 1)) pairs.push_back({target, other, i, action});
    }
    if (first.bytes() + second.bytes() + pairs.size() * sizeof(Pair) > memory) {
      result.stopped = StopReason::Memory;
      return result;
    }
  }
  return result;
}

std::optional<ExplicitLts> reduce_traces(const ExplicitLts& lts, size_t memory) {
  Determinisation sets(lts);
  uint32_t known = sets.initial() + 1;
  std::vector<Transition> transitions;
  for (uint32_t set = 0; set < known; ++set) {
    for (const auto& [action, target] : sets.next(set)) {
      transitions.push_back({set, action, target});
      known = std::max(known, target + 1);
    }
    if (sets.bytes() + transitions.size() * sizeof(Transition) > memory) return std::nullopt;
  }
  // For deterministic LTSs, the same traces and strong bisimulation are the same.
  return reduce_bisimilar(ExplicitLts(0, known, transitions), Equivalence::Strong);
}

}  // namespace mazurka::lts
