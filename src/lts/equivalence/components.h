// Strongly connected components of a graph, by Tarjan's algorithm without recursion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mazurka::lts {

// Nodes 0..n-1 with their edges, built node by node.
class Graph {
 public:
  void begin_node() { ends_.push_back(targets_.size()); }
  void add_edge(uint32_t target) {
    targets_.push_back(target);
    ends_.back() = targets_.size();
  }

  uint32_t size() const { return static_cast<uint32_t>(ends_.size()); }
  std::span<const uint32_t> edges(uint32_t node) const {
    const size_t begin = node == 0 ? 0 : ends_[node - 1];
    return {targets_.data() + begin, targets_.data() + ends_[node]};
  }
  size_t bytes() const {
    return ends_.capacity() * sizeof(size_t) + targets_.capacity() * sizeof(uint32_t);
  }

 private:
  std::vector<size_t> ends_;
  std::vector<uint32_t> targets_;
};

struct Components {
  std::vector<uint32_t>
      of;  // the component of each node; edges lead to the same or a smaller number
  uint32_t count = 0;
};

Components components(const Graph& graph);

std::vector<bool> nodes_on_loops(const Graph& graph);

}  // namespace mazurka::lts
