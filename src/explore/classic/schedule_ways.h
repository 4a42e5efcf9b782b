// The ways to leave a schedule for another one, by preemptions (explore/findings/preemptions.h).
#pragma once

#include <cstdint>
#include <vector>

#include "execution/execution.h"

namespace mazurka {

// Another choice than an execution's own, somewhere in it.
struct Way {
  uint32_t position = 0;
  Choice choice;
  uint32_t preemptions = 0;  // up to it, and with it
};

// Appends those of the states after the first `known` transitions, by position, that need at most
// `most` preemptions. Returns whether there were others. Requires that the execution went on there
// with whoever moved last, wherever that could (Policy::Stay), and that `preemptions` were needed
// to come there.
bool add_ways(const Execution& execution, size_t known, uint32_t preemptions, uint32_t most,
              std::vector<Way>& ways);

// The plan of one; of all schedules, if `steps` is null. They are those of the execution that is
// left, at least up to there.
void write_way(const std::vector<PlannedStep>* steps, const Way& way, const Limits& limits,
               Plan& out);

}  // namespace mazurka
