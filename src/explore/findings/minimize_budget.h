// How much minimising may cost. Executions are counted, so that the same search ends with the same
// schedules; the clock is there for programs whose executions are slow.
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "execution/execution.h"
#include "execution/stop.h"

namespace mazurka {

class MinimizeBudget {
 public:
  // `stop` may be null. When its time is over, minimising has its time of grace; who has
  // interrupted the search wants none.
  MinimizeBudget(uint64_t executions, double seconds, const Stop* stop)
      : executions_(executions), stop_(stop), end_(Clock::now() + as_duration(seconds)) {}

  // Takes one execution from it. False if nothing is left.
  bool take() {
    if (executions_ == 0 || has_given_up_) return false;
    if (stop_ != nullptr && (stop_->was_interrupted() || stop_->is_overdue())) return false;
    if (Clock::now() >= end_) return false;
    --executions_;
    return true;
  }

  // To be told of each execution. One that cost seconds, or did not do as planned, ends it all.
  void note(const Execution& execution) {
    const End end = execution.end;
    has_given_up_ = has_given_up_ || end == End::Divergence || end == End::Hung ||
                    end == End::Lost || end == End::SegmentDamaged || end == End::Nondeterminism ||
                    end == End::Trouble || end == End::Stopped;
  }
  void give_up() { has_given_up_ = true; }

 private:
  uint64_t executions_;
  const Stop* stop_;
  Clock::time_point end_;
  bool has_given_up_ = false;
};

}  // namespace mazurka
