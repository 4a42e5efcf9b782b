// Some steps of a run for the picture: what each did, where, and what it is ordered with.
#pragma once

#include "sim/views/naming.h"

namespace mazurka {

// Steps from `from` up to `to`, less if the run is shorter. With the arrows between these and any
// others.
Json steps_json(const Run& run, uint32_t from, uint32_t to, Naming& naming);

// Whether a step fits what to run to.
struct Wanted {
  std::optional<ThreadId> thread;
  std::optional<ObjectId> object;
  std::string location;  // "file:line"; empty: any

  bool fits(const Transition& step, Naming& naming) const;
};

}  // namespace mazurka
