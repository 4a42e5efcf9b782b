// Writes reports, schedules and the like: a file is there as a whole, or not at all.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace mazurka {

// Takes the place of what the file held. Where that fails half-way (a full disk), a regular file is
// removed: half a report must not be taken for one.
Result<void> write_whole_file(const std::string& path, std::string_view text);

// Whether it can be written, which is asked before hours of work. Leaves the file as it is, and
// none where there was none.
Result<void> can_be_written(const std::string& path);

}  // namespace mazurka
