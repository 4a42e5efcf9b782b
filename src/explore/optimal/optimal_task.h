// A task of the reverse search (optimal_search.h): a trace that is still to be executed, given by
// what it reverses in its parent. Tasks share nothing but their parent's schedule, which does not
// change.
#pragma once

#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/inline_vector.h"
#include "execution/execution.h"

namespace mazurka {

// What the children of one execution have in common.
struct OptimalSchedule {
  std::vector<PlannedStep> steps;
  std::vector<PlanBlock> blocks;  // of its plan
  std::vector<Access> block_accesses;
};

// A child that is still to be executed. Small: long executions have many. Most add a step or two,
// and most operations have four accesses: these have no memory of their own.
struct OptimalTask {
  std::shared_ptr<const OptimalSchedule> parent;
  InlineVector<PlannedStep, 4> steps;  // of the new block
  PlanBlock block;                     // it begins at `block.begin` of the parent's
  InlineVector<Access, 4> accesses;    // of the step that it reverses
  double weight = 1;                   // the part of the search that it is expected to be

  // Whether a plan can carry it.
  bool fits() const;
  // Overwrites the plan, but for its limits.
  void write(Plan& out) const;
};

// For checkpoints.
void save_tasks(const std::vector<OptimalTask>& tasks, ByteWriter& out);
std::vector<OptimalTask> restore_tasks(ByteReader& in);

}  // namespace mazurka
