// Verification of a system against a tester, on the fly: T. Latvala, H. Tauriainen, "Improved
// On-the-Fly Verification with Testers". Called by `mazurka lts verify`.
#pragma once

#include <csignal>
#include <cstdint>
#include <string>
#include <vector>

#include "lts/model/moves.h"
#include "lts/model/network.h"
#include "lts/model/tester.h"
#include "lts/verify/violation.h"

namespace mazurka::lts {

// How to verify. `Choose` is the cheapest that decides what is asked for.
enum class Algorithm {
  Choose,
  OnePass,   // Valmari's: where the tester has no infinite-trace states
  TwoPass,   // where every state of the tester is a livelock state; ends with the first loop
  General,   // figure 1, at most four passes
  Stubborn,  // with partial-order reduction: where there are reject and deadlock states only
};

struct VerifyOptions {
  bool all = false;       // decide all four kinds, do not end with the first violation
  bool shortest = false;  // counterexamples of least length, which costs memory for the transitions
  size_t memory_limit = SIZE_MAX;                           // bytes, for the search
  const volatile std::sig_atomic_t* interrupted = nullptr;  // ends the search when it is set
  // Tests compare these. Requires an algorithm that decides what is asked for.
  Algorithm algorithm = Algorithm::Choose;
  Packing packing = Packing::Choose;
};

enum class StopReason { None, Memory, Interrupted };

struct Verification {
  std::vector<Violation> violations;  // each kind at most once, in the order of ViolationKind
  StopReason stopped = StopReason::None;
  Algorithm algorithm = Algorithm::General;
  uint64_t states = 0;
  uint64_t transitions = 0;  // of these states
  uint64_t steps = 0;        // transitions followed, in all passes
  int passes = 0;
  double bytes_per_state = 0;        // of everything that the search has held at most
  double table_bytes_per_state = 0;  // of the states with their bits alone
  double seconds = 0;                // of the search, without counterexamples

  bool complete() const { return stopped == StopReason::None; }
};

// "one-pass", "two-pass", "general"
const char* name_of(Algorithm algorithm);

Verification verify(const Network& system, const Tester& tester, const VerifyOptions& options);

}  // namespace mazurka::lts
