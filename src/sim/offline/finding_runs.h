// What a page about findings needs and the search did not ask for: what the program has written in
// a finding's schedule, and the nearest passing run. The program is run for it.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "sim/passing/passing_run.h"

namespace mazurka {

// A passing run with the execution that shows it: with call stacks and output.
struct PassingExecution {
  PassingRun found;
  Execution execution;
};

class FindingRuns {
 public:
  // The program must outlive it. `learns`: is told of executions whose objects will be named; may
  // be null. `tester` may be null.
  FindingRuns(Program& program, const Limits& limits, std::shared_ptr<const ProgramTester> tester,
              std::function<void(const Execution&)> learns)
      : program_(program),
        limits_(limits),
        reader_(program, std::move(tester), limits.bound),
        learns_(std::move(learns)) {}

  // The finding's execution, with output where a replay did the same.
  Execution with_output(const Finding& finding);
  // Nothing if it is not known with which step the error became certain.
  std::optional<PassingExecution> nearest_passing(const Finding& finding);

 private:
  Program& program_;
  Limits limits_;
  SightingReader reader_;
  std::function<void(const Execution&)> learns_;
};

}  // namespace mazurka
