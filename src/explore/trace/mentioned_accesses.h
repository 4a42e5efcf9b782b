// What operations may access and wait for by what they name alone, whatever the state of it: for
// masks (operation_masks.h).
#pragma once

#include <cstdint>
#include <vector>

#include "objects/access_mask.h"
#include "objects/operation.h"

namespace mazurka {

// Adds what the operation may do to the objects that it names, if it is no misuse. False: not known
// here.
bool add_mentioned(const Operation& op, const std::vector<OpPart>& parts, ThreadId thread,
                   ProcessId process, AccessMask& mask);

// An access that the operation has in every state in which it is no misuse, with whatever outcome.
struct SureAccess {
  Resource resource;
  Mode mode = Mode::Read;  // Write: it always writes; Read: with some mode
};
// False: none is known here.
bool has_sure_access(const Operation& op, SureAccess& out);

// Where a change may disable the operation. What it waits for besides (a wake-up, an end) stays.
uint64_t disabling_bits(const Operation& op, const std::vector<OpPart>& parts);

}  // namespace mazurka
