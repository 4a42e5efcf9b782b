// What a finding is, in sentences: the same in text, JSON and schedule files.
#pragma once

#include <string>

#include "explore/engine/search.h"
#include "report/words/describer.h"

namespace mazurka {

// One sentence: what happened.
std::string message(const Finding& finding, const Describer& describer);

// Of a deadlock: "no thread can go on", or how many wait for each other while others go on.
std::string who_is_stuck(const Finding& finding);

// "file:line" of the last operation: the failing one, or the last of the schedule. Empty if it is
// not known.
std::string location(const Finding& finding, const Describer& describer);

// "signalfd: no model covers this, and it may block or communicate (3 times, at worker.c:12)"
std::string sentence(const UnmodelledCall& call, const Describer& describer);

}  // namespace mazurka
