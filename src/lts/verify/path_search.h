// Breadth-first search for a path, for counterexamples. Nodes are words: states, or states with a
// few bits more (what the path has seen).
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "lts/model/lts.h"
#include "lts/model/word_interner.h"

namespace mazurka::lts {

struct PathStep {
  ActionId action;
  uint64_t node;  // after the step
};
using Path = std::vector<PathStep>;

class PathSearch {
 public:
  // A path of least length, and of at least one step, from `start` to a node that `is_goal`, if
  // there is one within `most` steps. `next(node, edge)` calls `edge(action, node)` for each way
  // on.
  template <typename Next, typename IsGoal>
  std::optional<Path> find(uint64_t start, Next next, IsGoal is_goal, size_t most = SIZE_MAX) {
    nodes_.number(start);
    origins_.push_back({0, kTau});
    size_t depth = 0;
    for (uint32_t current = 0; current < nodes_.size() && !last_; ++current) {
      if (current == depth_end_) {
        if (++depth >= most) break;
        depth_end_ = nodes_.size();
      }
      next(nodes_.word(current), [&](ActionId action, uint64_t node) {
        if (!last_ && is_goal(node)) last_ = Last{{action, node}, current};
        if (nodes_.number(node) == origins_.size()) origins_.push_back({current, action});
      });
    }
    if (!last_) return std::nullopt;
    return path_back();
  }

 private:
  struct Origin {
    uint32_t node;
    ActionId action;
  };
  struct Last {
    PathStep step;
    uint32_t from;
  };

  Path path_back() const {
    Path path = {last_->step};
    for (uint32_t n = last_->from; n != 0; n = origins_[n].node) {
      path.push_back({origins_[n].action, nodes_.word(n)});
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

  WordInterner nodes_;
  std::vector<Origin> origins_;  // of each node: how it was reached first
  size_t depth_end_ = 1;         // where the nodes of the next depth begin
  std::optional<Last> last_;
};

}  // namespace mazurka::lts
