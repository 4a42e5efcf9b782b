// Compositions written out, and what there is to know about one: used by all of `mazurka lts` but
// verify.
#pragma once

#include <csignal>
#include <cstdint>

#include "lts/model/network.h"
#include "lts/verify/verify.h"

namespace mazurka::lts {

struct ExploreLimits {
  size_t memory = SIZE_MAX;  // bytes, about
  const volatile std::sig_atomic_t* interrupted = nullptr;
};

// The reachable part of a network as one LTS; its states are numbered breadth first, from 0.
struct Product {
  ExplicitLts lts;
  StopReason stopped = StopReason::None;  // unless None, lts is only a part
};
Product compose(const Network& system, const ExploreLimits& limits);

struct Info {
  uint64_t states = 0;
  uint64_t transitions = 0;
  uint64_t deadlocks = 0;  // states without transitions
  uint64_t livelocks = 0;  // states on a loop of internal actions
  StopReason stopped = StopReason::None;
};
Info inspect(const Network& system, const ExploreLimits& limits);

}  // namespace mazurka::lts
