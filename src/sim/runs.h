// The schedules that the page has run. A state of the program is a place in one of them: nothing is
// kept alive in the program itself, a step is the schedule with one more choice, run from the
// start.
//
// A run is found by its number, also by a page in another tab. The latest ones are kept with their
// executions, more of them as schedules only, which are run again when somebody asks.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "explore/findings/findings.h"
#include "explore/trace/happens_before.h"
#include "sim/server/subject.h"

namespace mazurka {

// What is enabled in the world, by thread and then by outcome.
std::vector<Choice> choices_in(const World& world, uint32_t bound);

struct Run {
  uint32_t id = 0;
  Execution execution;
  HappensBefore order;         // of the execution
  std::vector<bool> preempts;  // by step; empty if it is not known
  std::vector<Sighting> sightings;
  std::optional<PlannedStep>
      expected;  // of a program that did something else: the step that was planned

  uint32_t length() const { return static_cast<uint32_t>(execution.transitions.size()); }
};
using RunPointer = std::shared_ptr<const Run>;

// What comes after a schedule: nothing, or the program goes on with the first choice always, or
// with any.
enum class Then { Stops, First, Random };

class Runs {
 public:
  // The subject must outlive it.
  explicit Runs(const Subject& subject) : subject_(subject) {}

  Result<RunPointer> make(const std::vector<PlannedStep>& schedule, Then then = Then::Stops,
                          uint64_t seed = 0);
  // An error if there was no such run, or it is too long ago.
  Result<RunPointer> find(uint32_t id);

  // What the first `at` steps of the run did.
  static std::vector<PlannedStep> schedule_until(const Run& run, uint32_t at) {
    return schedule_of(run.execution, std::min(at, run.length()));
  }

 private:
  Result<RunPointer> execute(const std::vector<PlannedStep>& schedule, Then then, uint64_t seed,
                             uint32_t id);
  void keep(const RunPointer& run);

  const Subject& subject_;
  uint32_t last_id_ = 0;
  std::map<uint32_t, RunPointer> runs_;                     // the latest
  std::map<uint32_t, std::vector<PlannedStep>> schedules_;  // of more
};

}  // namespace mazurka
