// What takes the place of a row's functions (mutable_tables.cc): they do what the row's own ones
// do, less something. One row is changed at a time.
#pragma once

#include <cstdint>

#include "objects/op_functions.h"
#include "objects/op_row.h"

namespace mazurka {

// Which access of an operation is lost or weakened: the `place`-th that its row adds.
struct MutatedAccess {
  uint32_t place = 0;
  bool is_lost = false;  // otherwise it is a Read where it was a Write
};

// Requires that the row stays where it is.
void mutate_functions_of(const OpRow& row, MutatedAccess access);

AccessFunction mutated_accesses;
EnabledFunction first_outcome_only;
MisuseAccessFunction no_misuse_accesses;
CommuteFunction always_commutes;

}  // namespace mazurka
