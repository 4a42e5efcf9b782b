// A labelled transition system that is written down: the states 0..n-1 and the transitions of each.
// Files are read into one; a composition can be turned into one.
#pragma once

#include <span>
#include <vector>

#include "lts/model/lts.h"

namespace mazurka::lts {

struct Edge {
  ActionId action;
  uint32_t target;

  friend auto operator<=>(const Edge&, const Edge&) = default;
};

struct Transition {
  uint32_t source;
  ActionId action;
  uint32_t target;
};

class ExplicitLts {
 public:
  ExplicitLts() : offsets_(2, 0) {}
  // Requires that every state that is mentioned is below `state_count`. A transition that is listed
  // twice is one transition: they are a set.
  ExplicitLts(uint32_t initial, uint32_t state_count, std::span<const Transition> transitions);

  State initial() const { return initial_; }
  bool next(State state, Successors& successors) const;

  uint32_t state_count() const { return static_cast<uint32_t>(offsets_.size() - 1); }
  size_t transition_count() const { return edges_.size(); }

  // Sorted by action, then by target.
  std::span<const Edge> edges(uint32_t state) const {
    return {edges_.data() + offsets_[state], edges_.data() + offsets_[state + 1]};
  }
  std::span<const Edge> edges(uint32_t state, ActionId action) const;
  bool has(uint32_t state, Edge edge) const;

  // The actions that have a transition, each once, without the internal one.
  std::vector<ActionId> actions() const;

 private:
  uint32_t initial_ = 0;
  std::vector<size_t> offsets_;
  std::vector<Edge> edges_;
};

static_assert(Lts<const ExplicitLts>);

}  // namespace mazurka::lts
