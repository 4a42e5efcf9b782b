#include "lts/model/product.h"

#include <algorithm>

#include "lts/equivalence/components.h"
#include "lts/model/composition.h"

namespace mazurka::lts {
namespace {

bool less(const Successor& a, const Successor& b) {
  return a.action != b.action ? a.action < b.action : a.state < b.state;
}
bool equal(const Successor& a, const Successor& b) {
  return a.action == b.action && a.state == b.state;
}

// Calls `visit(number, successors)` for every reachable state, breadth first; `visit` may number
// the successors and returns how many bytes it holds.
template <Lts L, typename Visit>
StopReason explore(L lts, const ExploreLimits& limits, Visit visit) {
  WordInterner states;
  Successors successors;
  states.number(lts.initial());
  for (uint32_t number = 0; number < states.size(); ++number) {
    successors.clear();
    if (!lts.next(states.word(number), successors)) return StopReason::Memory;
    if (limits.interrupted != nullptr && *limits.interrupted != 0) return StopReason::Interrupted;
    // Steps of two processes may end alike; transitions are a set.
    Successor* begin = successors.empty() ? nullptr : &successors[0];
    std::sort(begin, begin + successors.size(), less);
    successors.truncate(
        static_cast<size_t>(std::unique(begin, begin + successors.size(), equal) - begin));
    const size_t held = visit(number, successors, states);
    if (held + states.bytes() + lts.bytes() > limits.memory) return StopReason::Memory;
  }
  return StopReason::None;
}

template <typename Visit>
StopReason explore(const Network& system, const ExploreLimits& limits, Visit visit) {
  const Moves moves(system, nullptr);
  if (moves.words() == 1) return explore(NarrowComposition(moves), limits, visit);
  return explore(WideComposition(moves), limits, visit);
}

}  // namespace

Product compose(const Network& system, const ExploreLimits& limits) {
  std::vector<Transition> transitions;
  uint32_t state_count = 1;
  Product product;
  product.stopped = explore(
      system, limits, [&](uint32_t number, const Successors& successors, WordInterner& states) {
        for (const Successor& next : successors) {
          transitions.push_back({number, next.action, states.number(next.state)});
        }
        state_count = static_cast<uint32_t>(states.size());
        return transitions.capacity() * (sizeof(Transition) + sizeof(Edge));
      });
  product.lts = ExplicitLts(0, state_count, transitions);
  return product;
}

Info inspect(const Network& system, const ExploreLimits& limits) {
  Info info;
  Graph internal;
  info.stopped =
      explore(system, limits, [&](uint32_t, const Successors& successors, WordInterner& states) {
        internal.begin_node();
        for (const Successor& next : successors) {
          const uint32_t target = states.number(next.state);
          if (next.action == kTau) internal.add_edge(target);
        }
        ++info.states;
        info.transitions += successors.size();
        info.deadlocks += successors.empty() ? 1 : 0;
        return internal.bytes();
      });
  if (info.stopped != StopReason::None) return info;
  const std::vector<bool> on_loop = nodes_on_loops(internal);
  info.livelocks = static_cast<uint64_t>(std::count(on_loop.begin(), on_loop.end(), true));
  return info;
}

}  // namespace mazurka::lts
