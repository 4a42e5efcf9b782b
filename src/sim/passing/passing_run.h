// What would have had to go otherwise: the step of a failing run with which the error became
// certain (the point of no return), and of the runs that go on well from before it the one that is
// nearest. For the simulator and the page of `mazurka check --html`.
#pragma once

#include <optional>
#include <vector>

#include "explore/findings/minimize_budget.h"
#include "explore/findings/sighting_reader.h"

namespace mazurka {

// A step of the passing run, by its place there, that is not as in the failing one.
struct RunDifference {
  enum class Kind : uint8_t {
    OtherOrder,  // `first` comes before `second` there; in the failing run it comes later, or never
    OtherOutcome,  // `second` has another outcome there
  };
  Kind kind = Kind::OtherOrder;
  uint32_t first = 0;
  uint32_t second = 0;
  // Places in the failing run: of `first`, if it is made there at all, and of `second`.
  std::optional<uint32_t> failing_first;
  uint32_t failing_second = 0;
};

struct PassingRun {
  // The last step before which it could still have ended well; nothing if it is not known, or there
  // is none.
  std::optional<uint32_t> critical;
  bool is_doomed = false;  // from the start: every run fails
  uint64_t tried = 0;      // executions
  // Of the passing runs that were tried, one with the fewest differences. Empty: there is none.
  std::vector<PlannedStep> schedule;
  std::vector<RunDifference> differences;
};

// Requires that the reader finds something in the execution's first `length` steps. `critical`: if
// it is known already. Looks at no more executions than the budget has.
PassingRun nearest_passing_run(Program& program, const Limits& limits, SightingReader& reader,
                               const Execution& failing, uint32_t length,
                               std::optional<uint32_t> critical, MinimizeBudget& budget);

// How a passing execution differs from the failing one's first `length` steps: pairs of dependent
// steps of different threads that are the other way round, and other outcomes. Only what does not
// follow from others.
std::vector<RunDifference> differences_between(const Execution& passing, const Execution& failing,
                                               uint32_t length);

}  // namespace mazurka
