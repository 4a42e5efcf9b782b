// Names of threads and objects in the shared segment: they stay the same for a whole search.
// names.h finds and makes them.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "execution/memory_places.h"
#include "objects/world.h"
#include "protocol/layout.h"

namespace mazurka {

inline constexpr uint32_t kNameTableSize = kMaxObjects * 2;

// A thread is (parent, how many it had created). `slot` derives from that path alone: it gives the
// thread's virtual pid, its heap and its stack.
struct ThreadName {
  ThreadId parent;
  uint16_t slot;
  uint32_t ordinal;  // 1 for the first that its parent created
};
static_assert(is_laid_out<ThreadName, 8>);

// Where an object lives.
struct ObjectName {
  uint32_t
      space;  // a process's private memory (its id, and its execs above), or kSharedSpace + a hash
  uint32_t generation;  // how many objects lived there before
  uint64_t address;     // or the offset in a shared mapping, or the hash of a name
};
static_assert(is_laid_out<ObjectName, 16>);

inline constexpr uint32_t kSharedSpace = 0x8000'0000;

struct Names {
  uint32_t thread_count;
  uint32_t object_count;
  ThreadName threads[kMaxThreads];
  ObjectName objects[kMaxObjects];
  ObjectPlace places[kMaxObjects];
  uint32_t table[kNameTableSize];  // open addressing: object id + 1
};
static_assert(
    is_laid_out<Names, 8 + 8 * kMaxThreads + (16 + 24) * kMaxObjects + 4 * kNameTableSize>);

}  // namespace mazurka
