// What would have had to go otherwise, as the page shows it.
#pragma once

#include "sim/passing/passing_run.h"
#include "sim/runs.h"
#include "sim/server/json_type.h"
#include "sim/views/naming.h"

namespace mazurka {

// {critical, doomed, tried, differences: [{kind, text, here, passing, failing}], passing: {run,
// length, fork}}. `passing`: the run of its schedule, or null if there is none.
Json passing_json(const PassingRun& found, const Run* passing, const Run& failing, Naming& naming);

}  // namespace mazurka
