// How much minimising may cost. Executions are counted, so that the same search ends with the same
// schedules; the clock is there for programs whose executions are slow.
#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>

#include "execution/execution.h"

namespace mazurka {

class MinimizeBudget {
 public:
  MinimizeBudget(uint64_t executions, double seconds, const volatile std::sig_atomic_t* interrupted)
      : executions_(executions),
        interrupted_(interrupted),
        end_(std::chrono::steady_clock::now() +
             std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                 std::chrono::duration<double>(seconds))) {}

  // Takes one execution from it. False if nothing is left.
  bool take() {
    if (executions_ == 0 || has_given_up_) return false;
    if (interrupted_ != nullptr && *interrupted_ != 0) return false;
    if (std::chrono::steady_clock::now() >= end_) return false;
    --executions_;
    return true;
  }

  // To be told of each execution. One that cost seconds, or did not do as planned, ends it all.
  void note(const Execution& execution) {
    const End end = execution.end;
    has_given_up_ = has_given_up_ || end == End::Divergence || end == End::Hung ||
                    end == End::Lost || end == End::SegmentDamaged || end == End::Nondeterminism ||
                    end == End::Trouble;
  }
  void give_up() { has_given_up_ = true; }

 private:
  uint64_t executions_;
  const volatile std::sig_atomic_t* interrupted_;
  std::chrono::steady_clock::time_point end_;
  bool has_given_up_ = false;
};

}  // namespace mazurka
