// Looks for a better schedule of a finding: fewest preemptions, then fewest steps. It runs the
// program with all schedules of no preemption, then of one, and so on (iterative context bounding,
// PLDI'07), up to what is known already.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "explore/findings/finding_collection.h"
#include "explore/findings/minimize_budget.h"

namespace mazurka {

class LeastPreempted {
 public:
  // All must outlive it.
  LeastPreempted(Program& program, const Limits& limits, SightingReader& reader,
                 MinimizeBudget& budget)
      : program_(program), limits_(limits), reader_(reader), budget_(budget) {}

  // Counts the preemptions of its schedule. False if they are not known: then nothing can be
  // improved.
  bool begin(Finding& finding);
  // Replaces the finding's schedule if the replay confirms that this one is better.
  void offer(std::vector<PlannedStep> schedule, Finding& finding);
  // Searches. Sets Finding::is_least_preempted if it has seen all schedules with fewer preemptions.
  void improve(Finding& finding);

 private:
  // The steps of an execution, shared by the tasks that leave it.
  using Steps = std::shared_ptr<const std::vector<PlannedStep>>;

  // So many of the steps, and then another choice.
  struct Task {
    Steps steps;
    size_t length = 0;
    Choice next;
  };
  // By preemptions, and then by length.
  using Rank = std::pair<uint32_t, size_t>;

  void take(Rank rank, const Task& task, const Execution& execution, Finding& finding);
  void look_for(const Execution& execution, Rank reached, Finding& finding);
  // Follows the execution from its first new state as long as it may lead to something better.
  Rank follow(Rank rank, const Task& task, const Execution& execution, const Finding& finding);
  static bool is_better(Rank rank, const Finding& finding);

  Program& program_;
  const Limits& limits_;
  SightingReader& reader_;
  MinimizeBudget& budget_;
  std::multimap<Rank, Task> tasks_;
  std::set<std::vector<std::pair<uint16_t, uint16_t>>> tried_;
};

}  // namespace mazurka
