// Where heap blocks were allocated and freed. Kept only while an execution is repeated for a report
// (PlanHeader::stacks): it takes a backtrace for each call of the allocator.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace mazurka {

// A smart pointer allocates and frees behind a dozen functions of the library.
inline constexpr int kHistoryFrames = 20;

// A call by its return addresses, innermost first; 0 after the last.
struct CallStack {
  uint64_t frames[kHistoryFrames];
};

struct BlockHistory {
  const void* block;  // what malloc returned
  ThreadId freed_by;  // kNoThread: nobody
  CallStack allocated;
  CallStack freed;
};

// Read by each call of the allocator.
extern bool history_is_kept;

// From now on. Without memory for it, nothing is kept.
void keep_history();

// `caller`: the return address of the program's call.
void note_allocated(const void* block, const void* caller);
void note_freed(const void* block, const void* caller);

// Null: nothing is known.
const BlockHistory* history_of(const void* block);

}  // namespace mazurka
