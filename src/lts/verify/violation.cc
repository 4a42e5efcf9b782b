#include "lts/verify/violation.h"

namespace mazurka::lts {

const char* name_of(ViolationKind kind) {
  switch (kind) {
    case ViolationKind::IllegalFiniteTrace:
      return "illegal-finite-trace";
    case ViolationKind::IllegalStableFailure:
      return "illegal-stable-failure";
    case ViolationKind::IllegalDivergenceTrace:
      return "illegal-divergence-trace";
    case ViolationKind::IllegalInfiniteTrace:
      return "illegal-infinite-trace";
  }
  return "";
}

}  // namespace mazurka::lts
