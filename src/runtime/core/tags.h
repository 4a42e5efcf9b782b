// Objects of libc, named by the memory they live in.
#pragma once

#include "runtime/core/state.h"

namespace mazurka {

// Where memory lies, whoever looks at it.
struct MemoryPlace {
  uint32_t space;    // as in ObjectName
  uint64_t address;  // or the offset in a shared mapping
};
MemoryPlace place_of(const void* address);

// The variable (kinds/variable/variable.h) in these bytes. Made if there is none.
ObjectId variable_object(const void* address, uint8_t size);

// What lies there, in words that people understand.
ObjectPlace place_for_people(const void* address);

// In the child, right after fork: the objects in private memory are copies of the parent's.
void copy_objects_for_fork(ProcessId parent, ThreadId forking, ThreadId child);

}  // namespace mazurka
