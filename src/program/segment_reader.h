// Reads an execution out of the shared segment. The program under test may have written anything
// there: every index is checked before it is used.
#pragma once

#include <string>

#include "execution/execution.h"
#include "protocol/segment.h"

namespace mazurka {

// The execution of the batch's `number`-th plan. Requires that its log was kept. False: the segment
// does not hold together; `out` is what could be read before that was seen.
[[nodiscard]] bool read_execution(const Segment& segment, uint32_t number, Execution& out);

// A text of the last batch, "" if there is none.
std::string segment_text(const Segment& segment, uint32_t place);

// Both canaries live, and there are no more names than can be.
bool is_intact(const Segment& segment);

}  // namespace mazurka
