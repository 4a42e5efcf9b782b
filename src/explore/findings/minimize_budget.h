// How much minimising may cost. Executions are counted, so that the same search ends with the same
// schedules; the clock is there for programs whose executions are slow.
#pragma once

#include <chrono>
#include <cstdint>

#include "execution/execution.h"
#include "execution/stop.h"

namespace mazurka {

class MinimizeBudget {
 public:
  // `stop` may be null. When its time is over, minimising has its time of grace; who has
  // interrupted the search wants none.
  MinimizeBudget(uint64_t executions, double seconds, const Stop* stop)
      : executions_(executions),
        stop_(stop),
        end_(std::chrono::steady_clock::now() +
             std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                 std::chrono::duration<double>(seconds))) {}

  // Takes one execution from it. False if nothing is left.
  bool take() {
    if (executions_ == 0 || has_given_up_) return false;
    if (stop_ != nullptr && (stop_->was_interrupted() || stop_->is_overdue())) return false;
    if (std::chrono::steady_clock::now() >= end_) return false;
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
  std::chrono::steady_clock::time_point end_;
  bool has_given_up_ = false;
};

}  // namespace mazurka
