#include "lts/equivalence/components.h"

#include <algorithm>

namespace mazurka::lts {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

class Tarjan {
 public:
  explicit Tarjan(const Graph& graph) : graph_(graph), low_(graph.size(), 0) {
    result_.of.assign(graph.size(), kNone);
  }

  Components run() {
    for (uint32_t node = 0; node < graph_.size(); ++node) {
      if (low_[node] == 0) visit(node);
    }
    return std::move(result_);
  }

 private:
  struct Frame {
    uint32_t node;
    uint32_t index;
    size_t next_edge;
  };

  void visit(uint32_t root) {
    enter(root);
    while (!path_.empty()) {
      Frame& frame = path_.back();
      const std::span<const uint32_t> edges = graph_.edges(frame.node);
      if (frame.next_edge == edges.size()) {
        leave();
        continue;
      }
      const uint32_t target = edges[frame.next_edge++];
      if (low_[target] == 0) {
        enter(target);
      } else if (result_.of[target] == kNone) {
        low_[frame.node] = std::min(low_[frame.node], low_[target]);
      }
    }
  }

  void enter(uint32_t node) {
    low_[node] = ++entered_;
    path_.push_back({node, entered_, 0});
    open_.push_back(node);
  }

  void leave() {
    const Frame frame = path_.back();
    path_.pop_back();
    if (low_[frame.node] == frame.index) {
      while (result_.of[frame.node] == kNone) {
        result_.of[open_.back()] = result_.count;
        open_.pop_back();
      }
      ++result_.count;
    }
    if (!path_.empty()) {
      uint32_t& low = low_[path_.back().node];
      low = std::min(low, low_[frame.node]);
    }
  }

  const Graph& graph_;
  Components result_;
  std::vector<uint32_t> low_;  // 0: not entered yet
  uint32_t entered_ = 0;
  std::vector<Frame> path_;
  std::vector<uint32_t> open_;
};

}  // namespace

Components components(const Graph& graph) { return Tarjan(graph).run(); }

std::vector<bool> nodes_on_loops(const Graph& graph) {
  const Components found = components(graph);
  std::vector<uint32_t> sizes(found.count, 0);
  for (const uint32_t component : found.of) ++sizes[component];
  std::vector<bool> result(graph.size());
  for (uint32_t node = 0; node < graph.size(); ++node) {
    const std::span<const uint32_t> edges = graph.edges(node);
    result[node] =
        sizes[found.of[node]] > 1 || std::find(edges.begin(), edges.end(), node) != edges.end();
  }
  return result;
}

}  // namespace mazurka::lts
