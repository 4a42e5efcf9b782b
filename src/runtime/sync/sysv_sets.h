// System V semaphore sets of this execution: records in the segment that every process knows, and
// their objects.
#pragma once

#include <sys/types.h>

#include "runtime/core/runtime.h"

namespace mazurka {

// nullptr: no set has this id. A removed one keeps its record: its object says that it is gone.
SemSetRecord* find_set(int id);

// A new set with `count` semaphores of value 0. `name`: that of its key, or kNoObject.
SemSetRecord& make_set(int id, key_t key, ObjectId name, uint32_t count, int mode);

// Requires number < set.count.
ObjectId semaphore_of(const SemSetRecord& set, uint32_t number);

// Room for the parts of one operation at the end of World::parts. Fill them, then add them.
OpPart* room_for_parts(uint32_t count);
// They belong to the operation now, or the same ones do that were there before.
void add_parts(Operation& op, uint32_t count);

}  // namespace mazurka
