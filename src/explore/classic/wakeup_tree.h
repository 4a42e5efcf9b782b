// The tree of wakeup_search.h: sequences of transitions that were executed or must be. A node's
// children are in the order of their insertion; what a later child could do first of an earlier one
// is explored there.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/check.h"
#include "explore/trace/replica.h"
#include "schedule/planned_step.h"

namespace mazurka {

// A transition of a sequence.
struct WakeupStep {
  Label label;
  PlannedStep step;
};

class WakeupTree {
 public:
  static constexpr uint32_t kRoot = 0;

  // With an empty sequence to execute.
  WakeupTree() : nodes_(1), pending_{kRoot} { nodes_[kRoot].is_pending = true; }

  bool is_done() const { return pending_.empty(); }
  // A leaf that must be executed; any order is right. Requires that there is one.
  uint32_t next_pending() const {
    MAZURKA_CHECK(!pending_.empty());
    return pending_.back();
  }
  // It is being executed: a leaf no more.
  uint32_t take_pending();

  // What was executed of the tree as it is now, where each node shares its part equally among its
  // children (Knuth 1975).
  double share_done() const { return nodes_[kRoot].done; }

  // From the root to the node, without the root.
  std::vector<uint32_t> path_to(uint32_t node) const;
  const PlannedStep& step(uint32_t node) const { return nodes_[node].step.step; }
  // How many steps of the path to the leaf were in the tree before it.
  uint32_t known(uint32_t leaf) const { return nodes_[leaf].known; }

  // What the program did after the leaf. Returns the new node.
  uint32_t append(uint32_t node, WakeupStep step);

  // Inserts the sequence below the node, unless what is there or asleep there leads to the same
  // traces.
  void insert(uint32_t node, std::vector<WakeupStep> sequence, bool all_dependent);

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  struct Node {
    WakeupStep step;
    uint32_t parent = kRoot;
    uint32_t known = 0;
    double done = 0;  // of what is below it, as far as that is known
    bool is_pending = false;
    bool was_leaf = false;  // executed freely from here
    std::vector<uint32_t> children;
  };

  uint32_t add(uint32_t node, WakeupStep step);
  void restore_node(ByteReader& in);
  // From the node up: what its children have done has changed.
  void update_done(uint32_t node);
  std::vector<uint32_t> sleep_at(uint32_t node, bool all_dependent) const;

  std::vector<Node> nodes_;
  std::vector<uint32_t> pending_;
};

}  // namespace mazurka
