// Plain instructions that access memory: those at which the runtime can look at what is accessed,
// and the one in whose place a thread is to come to us.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/patch_records.h"

namespace mazurka {

// All that can be done elsewhere, by address: of functions that were decoded as a whole
// (atomic_sites.h). Left out are calls and jumps by what memory says, instructions on strings and
// of vectors of addresses.
std::vector<WatchPlace> find_watch_places(const std::string& path);

// The one at this address. None if it cannot be replaced, or if it is not known what it accesses.
std::optional<PatchSite> access_site(const std::string& path, uint64_t address);

}  // namespace mazurka
