// How many executions a search of a program takes: the nodes of the tree of the reverse search
// (optimal/), and of the trees of schedules with few preemptions (classic/preemption_search.h), by
// random passes (tree_size.h). For `mazurka estimate`, and for the line that tells how far a search
// is.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "explore/engine/search.h"
#include "explore/estimate/tree_size.h"

namespace mazurka {

// What was reversed: the operations of two threads on an object.
struct Reversed {
  ObjectId object = kNoObject;
  ThreadId first = kNoThread;   // the lower id
  ThreadId second = kNoThread;  // the same where an operation has another outcome
  friend auto operator<=>(const Reversed&, const Reversed&) = default;
};

struct SizeEstimate {
  TreeSize size;
  uint64_t executions = 0;  // that were run for it
  uint64_t passes = 0;
  double seconds = 0;
  bool waits_for_others = false;  // all transitions are dependent then
  bool was_cut = false;           // some were, at the depth
  bool is_sure = true;            // else some did not do what the models say
  // The share of the executions that differ from their parents by a reversal there; the largest
  // first.
  std::vector<std::pair<Reversed, double>> reversed;
};

class SizeEstimator {
 public:
  // `preemptions`: of schedules with at most so many; without, of the reverse search. All must
  // outlive it.
  SizeEstimator(Program& program, const SearchOptions& options,
                std::optional<uint32_t> preemptions = std::nullopt);
  ~SizeEstimator();
  SizeEstimator(const SizeEstimator&) = delete;
  SizeEstimator& operator=(const SizeEstimator&) = delete;

  // Passes for about so long, or until nothing is left to refine. An error means that the world
  // failed.
  Result<void> work(double seconds);
  // The same, until so many executions were run for it in all.
  Result<void> work_until(uint64_t executions);
  // Whether there is anything to say, and whether more passes can add to it.
  bool has_estimate() const;
  bool is_exact() const;
  bool is_fine_enough() const;
  SizeEstimate estimate() const;

 private:
  class Tree;
  class ReverseTree;
  class ScheduleTree;

  std::unique_ptr<Tree> tree_;
};

}  // namespace mazurka
