// Names that stay the same for a whole search: the ids of threads and objects. Used by the runtime,
// which meets them, and by the tool, which brings those of a schedule file along.
#pragma once

#include "protocol/segment.h"

namespace mazurka {

// The slot whose heap belongs to the runtime itself.
inline constexpr uint16_t kRuntimeSlot = 16383;

// The id of the `ordinal`-th thread or process that `parent` creates, 1 for its first. kNoThread:
// the table is full.
ThreadId intern_thread(Names& names, ThreadId parent, uint32_t ordinal);

// The id of the object with that name; kNoObject: the table is full. `is_new` says whether it was
// unknown until now.
ObjectId intern_object(Names& names, const ObjectName& name, bool& is_new);

// Leaves the first threads and objects only.
void forget_names(Names& names, uint32_t thread_count, uint32_t object_count);

}  // namespace mazurka
