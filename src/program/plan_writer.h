// Writes plans into the shared segment, as many as fit into one batch.
#pragma once

#include <cstddef>

#include "execution/execution.h"
#include "protocol/segment.h"

namespace mazurka {

// Begins a batch of the first plans, and says how many there is room for. At least one, if
// can_carry is true of it. Requires that no execution runs.
size_t write_batch(const Plan* plans, size_t count, Segment& out);

}  // namespace mazurka
