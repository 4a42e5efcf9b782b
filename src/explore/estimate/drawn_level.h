// A level of a tree of which only some nodes are kept, each with what it stands for: priority
// sampling (Duffield, Lund, Thorup, JACM 2007), which needs no second look at what was not kept.
// The sum of the weights of what is kept is that of all, on average; and nodes that are thought to
// have much below them are kept more often, and stand for less.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace mazurka {

// Splitmix64 (Steele, Lea, Flood, OOPSLA'14).
class Draws {
 public:
  explicit Draws(uint64_t seed) : state_(seed) {}
  // The logarithm of a number between 0 and 1.
  double log_number();

 private:
  uint64_t state_;
};

// A sum of numbers that are given by their logarithms.
class LogSum {
 public:
  void add(double log);
  double log() const { return log_; }

 private:
  double log_ = -std::numeric_limits<double>::infinity();
};

// What is known of a node before it is executed.
struct NodeKind {
  uint32_t group = 0;
  uint32_t rest = 0;  // of its schedule, behind what makes it another one than its parent's
};

// How much is below nodes of a kind: learned from earlier passes. A guess that is wrong makes
// passes differ more, and nothing else.
class Worths {
 public:
  // The logarithm.
  double of(NodeKind kind) const;
  void learn(NodeKind kind, double log_below);

 private:
  static constexpr uint32_t kStep = 8;  // of the rest: more is said by its logarithm only

  struct Mean {
    double sum = 0;
    double count = 0;
  };
  static uint32_t place_of(uint32_t rest);

  std::map<std::pair<uint32_t, uint32_t>, Mean> means_;
};

struct DrawnNode {
  double log_weight = 0;  // how many it stands for
  uint32_t parent = 0;    // in the level before
  NodeKind kind;
  LogSum below;  // it, and what is below it, as one of a pass saw it
};

class DrawnLevel {
 public:
  // The root alone.
  void begin();
  // Nothing yet, and room for so many.
  void begin(uint32_t width);
  // Where the node is to be kept, in the place of another one perhaps; or not at all.
  std::optional<size_t> offer(const DrawnNode& node, double log_worth, Draws& draws);
  // After the last one.
  void settle();

  const std::vector<DrawnNode>& nodes() const { return nodes_; }
  std::vector<DrawnNode>& nodes() { return nodes_; }
  // Whether all are kept.
  bool is_whole() const { return std::isinf(log_threshold_); }

 private:
  struct Place {
    double log_priority;
    size_t node;
  };

  size_t width_ = 1;
  std::vector<DrawnNode> nodes_;
  std::vector<double> log_worths_;
  std::vector<Place> places_;  // a heap, the lowest first
  double log_threshold_ = -std::numeric_limits<double>::infinity();
};

}  // namespace mazurka
