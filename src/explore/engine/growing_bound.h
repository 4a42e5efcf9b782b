// Programs that do not end get a bound by themselves: at most 4 transitions of each thread, then 8,
// 16 and so on, each searched to its end. Unlike a cut at a depth such a bound hides nothing from a
// reduction, and after a few transitions of one thread the others move: so what goes wrong soon is
// found soon, and what all threads must take part in is reached.
#pragma once

#include <functional>

#include "explore/engine/search.h"

namespace mazurka {

// `run` makes one search by the options that it is given. What it comes to without a bound stands
// if no execution was cut at the depth. `options.limits.bound` must be 0.
Verdict search_with_growing_bound(const std::function<Verdict(const SearchOptions&)>& run,
                                  const SearchOptions& options);

}  // namespace mazurka
