// Makes the tasks of the children that were found (optimal_heads.h). Those of one execution share
// its schedule; schedules that no task needs any more are used again.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "explore/optimal/optimal_task.h"
#include "explore/optimal/optimal_trace.h"

namespace mazurka {

class OptimalTaskMaker {
 public:
  // The trace must outlive it.
  explicit OptimalTaskMaker(const OptimalTrace& trace) : trace_(trace) {}

  // The trace is another one, and its children go there.
  void begin(std::vector<OptimalTask>& out) {
    out_ = &out;
    schedule_.reset();
  }

  // The child in which the events of the set and then the head come before the trace's event, with
  // what the head does, and the thread that it reverses (or none). Requires `begin`.
  void add(const Configuration& set, Choice head, const Operation& op, ThreadId reversed);

 private:
  std::shared_ptr<const OptimalSchedule> make_schedule();
  std::shared_ptr<OptimalSchedule> unused_schedule();

  const OptimalTrace& trace_;
  std::vector<OptimalTask>* out_ = nullptr;
  std::shared_ptr<const OptimalSchedule> schedule_;          // made with the first child
  std::vector<std::shared_ptr<OptimalSchedule>> schedules_;  // all that were made
  size_t next_schedule_ = 0;
};

}  // namespace mazurka
