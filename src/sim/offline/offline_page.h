// The simulator's page as one file that needs nothing else: with the data of its runs in it, and
// without a program to go on with.
#pragma once

#include <string>

#include "sim/server/json_type.h"

namespace mazurka {

// `data`: {kind: "report" or "recording", command, directory, runs: [a run_record and what is said
// about it, ...], sources, ...}; web/src/offline.ts reads it.
std::string offline_page(const Json& data);

}  // namespace mazurka
