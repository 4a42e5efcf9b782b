// The model of pthread barriers. Waiting is two operations: arrive, and leave when the round is
// complete.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "objects/op_functions.h"
#include "objects/operation.h"

namespace mazurka {

struct Barrier {
  uint32_t count = 1;    // threads that make a round
  uint32_t arrived = 0;  // in the present round
  int64_t round = 0;     // every round before it is complete
};
static_assert(std::is_trivially_copyable_v<Barrier>);

namespace on_barrier {

EnabledFunction leave_enabled;
// The value of an arrival's effect is its round, of a leave's 1 for the one serial thread of the
// round.
ApplyFunction arrive, leave, destroy;
AccessFunction arrive_accesses, leave_accesses, destroy_accesses;
MisuseFunction destroy_misuse;
MentionFunction arrive_mentions, leave_mentions;
CommuteFunction commute;
StateFunction state;

}  // namespace on_barrier

}  // namespace mazurka
