// Trace equivalence: the same finite traces, tr(P) of definition 5 with every action visible but
// the internal one. Decided on determinised LTSs, which are made on the fly: their states are sets
// of states.
#pragma once

#include <optional>

#include "lts/model/explicit_lts.h"
#include "lts/verify/verify.h"

namespace mazurka::lts {

struct TraceComparison {
  bool equal = true;
  std::vector<ActionId> trace;  // if not equal: a trace that only one of them has
  bool first_has_it = false;    // which one
  StopReason stopped = StopReason::None;
};

// `memory`: bytes, about, for the sets of states.
TraceComparison compare_traces(const ExplicitLts& a, const ExplicitLts& b, size_t memory);

// The least deterministic LTS with the same traces; nothing if there is no memory for it.
std::optional<ExplicitLts> reduce_traces(const ExplicitLts& lts, size_t memory);

}  // namespace mazurka::lts
