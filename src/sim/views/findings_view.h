// What is wrong with a run, as far as it shows in its first steps.
#pragma once

#include "sim/runs.h"
#include "sim/server/json_type.h"
#include "sim/views/naming.h"

namespace mazurka {

// [{kind, at, message, why, thread, accesses}, ...]; `thread`: whom it is about; `accesses`: of a
// data race and its like, where the two are in the source, and which locks were held.
Json findings_json(const Run& run, uint32_t at, Naming& naming);

}  // namespace mazurka
