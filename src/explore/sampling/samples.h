// What is known of executions that were drawn at random (schedule/sampling.h), for verdicts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mazurka {

// Of one sampler.
struct SamplerCounts {
  std::string search;  // its name
  uint64_t executions = 0;
  uint32_t threads = 0;  // most of an execution
  uint32_t steps = 0;
  // `pct` alone: a bug of this depth, whatever the outcomes of operations are, was missed by the
  // `counting` executions with a probability of at most `missed`. Counting are those that assumed
  // as many threads and steps as any of them had; none of them: nothing is claimed.
  uint32_t bug_depth = 0;
  uint64_t counting = 0;
  double missed = 1;
};

struct Samples {
  uint64_t seed = 0;
  uint64_t executions = 0;
  uint64_t traces = 0;           // different ones
  bool traces_are_exact = true;  // else estimated, within about two in a hundred
  uint64_t late_traces = 0;      // of them, seen first in the last tenth of the executions
  std::vector<SamplerCounts> samplers;
};

}  // namespace mazurka
