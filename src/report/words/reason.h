// Why it came to a finding, in one sentence made from its schedule: who holds what and wants what,
// which wake-up went to somebody else, which exception nobody caught.
#pragma once

#include <string>

#include "explore/findings/findings.h"
#include "report/words/describer.h"

namespace mazurka {

struct Reason {
  std::string sentence;         // empty if there is none to give
  ThreadId blamed = kNoThread;  // of a deadlock: whose place it is about
};

Reason reason_for(const Finding& finding, const Describer& describer);

// Of the exception that nobody caught, as the C++ library says it before it aborts:
// "std::out_of_range: vector::at". Empty if it was none.
std::string uncaught_exception(const Finding& finding);

}  // namespace mazurka
