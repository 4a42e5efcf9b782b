// A fingerprint of the Mazurkiewicz trace of an execution: the same for executions that differ only
// in the order of independent transitions, in 128 bits, so that a million of others meet with a
// probability of 10^-27.
//
// Each transition is hashed with all that it directly depends on: its thread's last one, and for
// each resource those since the last write that conflict with it. Such a hash says all of its past,
// and the sum of all of them says the trace.
#pragma once

#include <cstdint>
#include <vector>

#include "execution/execution.h"

namespace mazurka {

struct TraceHash {
  uint64_t low = 0;
  uint64_t high = 0;
  friend bool operator==(const TraceHash&, const TraceHash&) = default;
};

class TraceHasher {
 public:
  TraceHash of(const Execution& execution);

 private:
  // What happened to a resource: its last write, and the sums of reads and of additions since.
  struct Past {
    Resource resource;
    uint64_t number = 0;  // of the execution that it belongs to
    TraceHash written;
    TraceHash read;
    TraceHash added;
  };

  Past& past_of(Resource resource);
  void grow();
  TraceHash hash(const Transition& made);

  uint64_t number_ = 0;
  size_t used_ = 0;                                   // of `pasts_`, by this execution
  std::vector<Past> pasts_ = std::vector<Past>(256);  // by a hash of the resource; a power of two
  std::vector<TraceHash> threads_ = std::vector<TraceHash>(kMaxThreads);  // last transitions
  std::vector<uint64_t> numbers_ = std::vector<uint64_t>(kMaxThreads);
  TraceHash sum_;         // of all transitions so far
  TraceHash everything_;  // the last one that depends on everything
};

}  // namespace mazurka
