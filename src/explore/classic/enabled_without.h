// Whether a race with a semaphore's post can be reversed: would the wait be enabled without it?
#pragma once

#include "explore/trace/happens_before.h"
#include "objects/world.h"

namespace mazurka {

// Whether a pending operation may be enabled after some events that include all before `event`, and
// none that it happens before. `end`: how many events there were when it was pending; `world`: the
// state after them. In doubt: yes.
bool may_be_enabled_without(const HappensBefore& order, uint32_t event, uint32_t end,
                            const World& world, const Operation& pending);

}  // namespace mazurka
