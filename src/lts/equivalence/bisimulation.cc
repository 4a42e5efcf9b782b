#include "lts/equivalence/bisimulation.h"

#include <algorithm>

#include "base/check.h"
#include "lts/equivalence/components.h"
#include "lts/equivalence/refinement.h"

namespace mazurka::lts {
namespace {

std::vector<Transition> transitions_of(const ExplicitLts& lts, uint32_t shift) {
  std::vector<Transition> result;
  result.reserve(lts.transition_count());
  for (uint32_t s = 0; s < lts.state_count(); ++s) {
    for (const Edge& edge : lts.edges(s)) {
      result.push_back({s + shift, edge.action, edge.target + shift});
    }
  }
  return result;
}

// `lts` with each state replaced by map[state].
ExplicitLts mapped(const ExplicitLts& lts, const std::vector<uint32_t>& map, uint32_t count,
                   bool drop_internal_loops) {
  std::vector<Transition> transitions;
  for (uint32_t s = 0; s < lts.state_count(); ++s) {
    for (const Edge& edge : lts.edges(s)) {
      if (drop_internal_loops && edge.action == kTau && map[s] == map[edge.target]) continue;
      transitions.push_back({map[s], edge.action, map[edge.target]});
    }
  }
  return ExplicitLts(map[lts.initial()], count, transitions);
}

Components internal_components(const ExplicitLts& lts) {
  Graph internal;
  for (uint32_t s = 0; s < lts.state_count(); ++s) {
    internal.begin_node();
    for (const Edge& edge : lts.edges(s, kTau)) internal.add_edge(edge.target);
  }
  return components(internal);
}

}  // namespace

std::vector<uint32_t> bisimulation_blocks(const ExplicitLts& lts, Equivalence equivalence) {
  MAZURKA_CHECK(equivalence != Equivalence::Trace);
  if (equivalence == Equivalence::Strong) return Refinement(lts, false).run();
  // The states of a loop of internal steps are equivalent; without loops, signatures can be
  // computed from the end of the internal steps on. Components are numbered in that order.
  const Components loops = internal_components(lts);
  const ExplicitLts without_loops = mapped(lts, loops.of, loops.count, true);
  const std::vector<uint32_t> blocks = Refinement(without_loops, true).run();
  std::vector<uint32_t> result;
  result.reserve(lts.state_count());
  for (const uint32_t component : loops.of) result.push_back(blocks[component]);
  return result;
}

bool bisimilar(const ExplicitLts& a, const ExplicitLts& b, Equivalence equivalence) {
  std::vector<Transition> transitions = transitions_of(a, 0);
  const std::vector<Transition> others = transitions_of(b, a.state_count());
  transitions.insert(transitions.end(), others.begin(), others.end());
  const ExplicitLts both(static_cast<uint32_t>(a.initial()), a.state_count() + b.state_count(),
                         transitions);
  const std::vector<uint32_t> blocks = bisimulation_blocks(both, equivalence);
  return blocks[a.initial()] == blocks[a.state_count() + b.initial()];
}

ExplicitLts reduce_bisimilar(const ExplicitLts& lts, Equivalence equivalence) {
  const std::vector<uint32_t> blocks = bisimulation_blocks(lts, equivalence);
  const uint32_t count = 1 + *std::max_element(blocks.begin(), blocks.end());
  return reachable_part(mapped(lts, blocks, count, equivalence == Equivalence::Branching));
}

ExplicitLts reachable_part(const ExplicitLts& lts) {
  std::vector<uint32_t> numbers(lts.state_count(), UINT32_MAX);
  std::vector<uint32_t> order = {static_cast<uint32_t>(lts.initial())};
  numbers[order[0]] = 0;
  std::vector<Transition> transitions;
  for (size_t i = 0; i < order.size(); ++i) {
    for (const Edge& edge : lts.edges(order[i])) {
      if (numbers[edge.target] == UINT32_MAX) {
        numbers[edge.target] = static_cast<uint32_t>(order.size());
        order.push_back(edge.target);
      }
      transitions.push_back({static_cast<uint32_t>(i), edge.action, numbers[edge.target]});
    }
  }
  return ExplicitLts(0, static_cast<uint32_t>(order.size()), transitions);
}

}  // namespace mazurka::lts
