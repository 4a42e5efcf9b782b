// A batch of plans in the segment, and the logs of its executions: the runtime's side, and what the
// tool does in its place where a program broke off.
#pragma once

#include "protocol/segment.h"

namespace mazurka {

// An empty batch. Requires that no execution runs.
void clear_batch(Segment& segment);

// Loads the next plan and begins its log. False: the batch is through, or is over before.
bool begin_next_plan(Segment& segment);

// What came after the first execution does not count: its log is the last one, and only so many
// threads and objects have names, those that had them before the batch.
void forget_all_but_first(Segment& segment, uint32_t thread_names, uint32_t object_names);

// Keeps the log of the execution that has ended, with its threads as they are now in the world.
void keep_log(Segment& segment);

}  // namespace mazurka
