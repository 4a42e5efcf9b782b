// Counterexamples of least length, prefix and loop together (`--shortest`). For finite ones that is
// a breadth-first search of all states. For lassos, every state near enough is tried as the entry
// of a loop; the best lasso so far bounds both searches, yet the worst case is quadratic.
#pragma once

#include "lts/verify/counterexample.h"

namespace mazurka::lts {

template <Lts L>
class ShortestSearch {
 public:
  ShortestSearch(L& lts, SearchState& search) : lts_(lts), search_(search) {}

  // Requires a lasso that is a counterexample; returns one that is not longer.
  Lasso improve(const Lasso& known) {
    Lasso best = known;
    if (is_infinite(known.kind)) {
      improve_lasso(best);
    } else {
      best.prefix = path_to([&](State state) { return is_violation(known.kind, state); });
    }
    return best;
  }

 private:
  static constexpr uint64_t kSeenVisible = uint64_t{1} << kStateBits;
  static constexpr uint64_t kSeenInfinite = kSeenVisible << 1;
  static constexpr uint64_t kSeenBoth = kSeenVisible | kSeenInfinite;

  template <typename Edge>
  void successors(State state, Edge edge) {
    successors_.clear();
    MAZURKA_CHECK(lts_.next(state, successors_));
    for (const Successor& next : successors_) edge(next.action, next.state);
  }

  template <typename IsGoal>
  Path path_to(IsGoal is_goal) {
    if (is_goal(lts_.initial())) return {};
    const auto next = [this](State state, auto edge) { this->successors(state, edge); };
    std::optional<Path> path = PathSearch().find(lts_.initial(), next, is_goal);
    MAZURKA_CHECK(path.has_value());
    return std::move(*path);
  }

  bool is_violation(ViolationKind kind, State state) {
    const uint8_t sets = search_.sets_of(state);
    if (kind == ViolationKind::IllegalFiniteTrace) return (sets & kReject) != 0;
    if ((sets & kDeadlock) == 0) return false;
    goal_successors_.clear();  // not successors_: the search is walking through them
    MAZURKA_CHECK(lts_.next(state, goal_successors_));
    return goal_successors_.empty();
  }

  // States in the order of their distance from the initial one, until no loop can be short enough.
  void improve_lasso(Lasso& best) {
    size_t best_length = best.prefix.size() + best.loop.size();
    std::optional<State> entry;
    WordInterner states;
    states.number(lts_.initial());
    size_t depth = 0;
    size_t depth_end = 1;
    for (uint32_t n = 0; n < states.size(); ++n) {
      if (n == depth_end) {
        ++depth;
        depth_end = states.size();
      }
      if (depth + 1 >= best_length) break;
      const State state = states.word(n);
      if (std::optional<Path> loop = loop_at(best.kind, state, best_length - depth - 1)) {
        best_length = depth + loop->size();
        best.loop = std::move(*loop);
        entry = state;
      }
      successors(state, [&states](ActionId, State next) { states.number(next); });
    }
    if (entry) best.prefix = path_to([&entry](State state) { return state == *entry; });
  }

  std::optional<Path> loop_at(ViolationKind kind, State state, size_t most) {
    if (kind == ViolationKind::IllegalDivergenceTrace) return divergence_loop_at(state, most);
    const auto next = [this](uint64_t node, auto edge) {
      const uint64_t seen = (node & kSeenBoth) | seen_in(state_of(node));
      successors(state_of(node), [&](ActionId action, State target) {
        edge(action, target | seen | (search_.is_testers(action) ? kSeenVisible : 0));
      });
    };
    const auto is_goal = [state](uint64_t node) { return node == (state | kSeenBoth); };
    std::optional<Path> loop = PathSearch().find(state, next, is_goal, most);
    if (loop) {
      for (PathStep& step : *loop) step.node = state_of(step.node);
    }
    return loop;
  }

  uint64_t seen_in(State state) const {
    return (search_.sets_of(state) & kInfinite) != 0 ? kSeenInfinite : 0;
  }

  std::optional<Path> divergence_loop_at(State state, size_t most) {
    if ((search_.sets_of(state) & kLivelock) == 0) return std::nullopt;
    const auto next = [this](State from, auto edge) {
      successors(from, [&](ActionId action, State target) {
        if (!search_.is_testers(action)) edge(action, target);
      });
    };
    return PathSearch().find(
        state, next, [state](State s) { return s == state; }, most);
  }

  L& lts_;
  SearchState& search_;
  Successors successors_;
  Successors goal_successors_;
};

}  // namespace mazurka::lts
