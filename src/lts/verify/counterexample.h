// Counterexamples (section 3.5). The searches only say in which state a violation was seen; prefix
// and loop are looked for here, breadth first among the states that the search has visited.
#pragma once

#include "lts/verify/path_search.h"
#include "lts/verify/search_state.h"

namespace mazurka::lts {

// A counterexample whose steps are still packed states.
struct Lasso {
  ViolationKind kind;
  Path prefix;
  Path loop;
};

template <Lts L>
class CounterexampleSearch {
 public:
  CounterexampleSearch(L& lts, SearchState& search) : lts_(lts), search_(search) {}

  // Requires that a search has reported this kind with this witness.
  Lasso find(ViolationKind kind, State witness) {
    switch (kind) {
      case ViolationKind::IllegalDivergenceTrace:
        return enter_loop(kind, divergence_loop(witness));
      case ViolationKind::IllegalInfiniteTrace:
        return enter_loop(kind, infinite_loop(witness));
      default:
        return {kind, prefix_to([witness](State state) { return state == witness; }), {}};
    }
  }

  // For the two-pass form: the loop at the witness is illegal either way, and tells which way.
  Lasso find_loop(State witness) {
    const Path loop = path(
        witness, [](ActionId) { return true; }, witness);
    const bool visible = std::any_of(loop.begin(), loop.end(), [this](const PathStep& step) {
      return search_.is_testers(step.action);
    });
    return enter_loop(
        visible ? ViolationKind::IllegalInfiniteTrace : ViolationKind::IllegalDivergenceTrace,
        loop);
  }

 private:
  static constexpr uint64_t kSeen = uint64_t{1} << kStateBits;

  template <typename Edge>
  void successors(State state, Edge edge) {
    successors_.clear();
    MAZURKA_CHECK(lts_.next(state, successors_));
    for (const Successor& next : successors_) {
      if (search_.table.find(next.state) != nullptr) edge(next.action, next.state);
    }
  }

  template <typename Allowed>
  Path path(State from, Allowed allowed, State to) {
    const auto next = [&](State state, auto edge) {
      successors(state, [&](ActionId action, State target) {
        if (allowed(action)) edge(action, target);
      });
    };
    return found(PathSearch().find(from, next, [to](State state) { return state == to; }));
  }

  Path divergence_loop(State witness) {
    return path(
        witness, [this](ActionId action) { return !search_.is_testers(action); }, witness);
  }

  // From the witness, an infinite-trace state, back to it with a step of the tester on the way.
  // Because testers have no tau_T loops, there is a visible one then.
  Path infinite_loop(State witness) {
    const auto next = [&](uint64_t node, auto edge) {
      successors(state_of(node), [&](ActionId action, State target) {
        edge(action, target | (search_.is_testers(action) ? kSeen : node & kSeen));
      });
    };
    const auto is_goal = [witness](uint64_t node) { return node == (witness | kSeen); };
    Path loop = found(PathSearch().find(witness, next, is_goal));
    for (PathStep& step : loop) step.node = state_of(step.node);
    return loop;
  }

  template <typename IsGoal>
  Path prefix_to(IsGoal is_goal) {
    if (is_goal(lts_.initial())) return {};
    const auto next = [this](State state, auto edge) { this->successors(state, edge); };
    return found(PathSearch().find(lts_.initial(), next, is_goal));
  }

  // Any state of the loop will do to enter it; the nearest makes the prefix short.
  Lasso enter_loop(ViolationKind kind, Path loop) {
    std::vector<State> states;
    for (const PathStep& step : loop) states.push_back(step.node);
    std::sort(states.begin(), states.end());
    Path prefix = prefix_to(
        [&states](State state) { return std::binary_search(states.begin(), states.end(), state); });
    const State entry = prefix.empty() ? lts_.initial() : prefix.back().node;
    const auto place = std::find_if(loop.begin(), loop.end(),
                                    [entry](const PathStep& step) { return step.node == entry; });
    std::rotate(loop.begin(), place + 1, loop.end());
    return {kind, std::move(prefix), std::move(loop)};
  }

  // The search that found the violation has visited a path.
  static Path found(std::optional<Path> path) {
    MAZURKA_CHECK(path.has_value());
    return std::move(*path);
  }

  L& lts_;
  SearchState& search_;
  Successors successors_;
};

}  // namespace mazurka::lts
