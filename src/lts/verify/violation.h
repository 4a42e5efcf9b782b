// What a system may do wrong in the eyes of a tester (definition 7), and how it is shown.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lts/model/action.h"

namespace mazurka::lts {

enum class ViolationKind {
  IllegalFiniteTrace,
  IllegalStableFailure,
  IllegalDivergenceTrace,
  IllegalInfiniteTrace,
};
inline constexpr size_t kViolationKinds = 4;

// "illegal-finite-trace", ...
const char* name_of(ViolationKind kind);
// Whether its counterexample has a loop.
constexpr bool is_infinite(ViolationKind kind) {
  return kind >= ViolationKind::IllegalDivergenceTrace;
}

// A step of a counterexample, with the local states after it: the tester's, then the processes'.
struct Step {
  ActionId action;
  std::vector<uint32_t> locals;
};

struct Violation {
  ViolationKind kind;
  std::vector<Step> prefix;
  std::vector<Step> loop;  // from the end of the prefix back to it; only if is_infinite(kind)
};

}  // namespace mazurka::lts
