// Memory that processes share, and what names the objects in it. The memory behind System V and
// POSIX names is ours: memfds that the fork server made, so nothing can be left behind.
#pragma once

#include <sys/stat.h>

#include <cstdint>

#include "runtime/core/runtime.h"

namespace mazurka {

inline constexpr uint64_t kPageSize = 4096;
constexpr uint64_t round_to_pages(uint64_t bytes) {
  return (bytes + kPageSize - 1) / kPageSize * kPageSize;
}

// The memory that holds named semaphores (sem_open), and that of messages in queues; the rest of
// the pool is for take_memory.
inline constexpr uint32_t kSemaphoreMemory = 0;
inline constexpr uint32_t kQueueMemory = 1;
inline constexpr uint32_t kFirstFreeMemory = 2;

// Names a thing that the current thread makes now: by the thread and how many it had made.
uint64_t new_identity();

// A place in Segment::shared_memories that this execution has not used. Ends the execution if there
// is none.
uint32_t take_memory(uint64_t identity);

// A descriptor of this process, opened with these flags (open(2)); -errno on failure.
long open_memory(uint32_t place, int flags);

// Maps one of the two memories of our own at the same address in every process. The address, or
// -errno.
long map_own_memory(uint32_t place, uint64_t base, uint64_t bytes);

// A System V id or key leads to the memory with that id: kMaxSharedMemories if there is none.
uint32_t memory_with_id(int32_t id);

// The objects in this file are named by `identity`, wherever and by whomever it is mapped.
void name_file(long fd, uint64_t identity);
// What names the objects in a file. `fd` must be open on it.
uint64_t identity_of_file(long fd, const struct stat& status);

// An id for a System V object that is made now: from who makes it, or from its key and how often
// that was made. `is_taken(id)`: another has it.
int32_t id_from_key(int32_t key, uint32_t generation);
template <typename F>
int32_t id_for_private(F&& is_taken) {
  const uint32_t slot = segment().names.threads[index(current_thread())].slot;
  auto id = static_cast<int32_t>(slot << 14 | 1);
  while (is_taken(id)) ++id;
  return id;
}

// An object of kinds/processes/named.h is opened, made or removed: visible, unless nobody could
// interleave with it (as destroy()).
Effect reach_name(OpKind kind, ObjectId name, int64_t flags, Call call);

// Maps memory where the kernel would choose: at an address that depends on the current thread's own
// past alone. Arguments and result as mmap(2) has them: -errno on failure.
long map_anywhere(uint64_t length, int protection, int flags, long fd, uint64_t offset);
// A free place of this thread's own; 0 if there is none so long.
uint64_t place_for_mapping(uint64_t length);

}  // namespace mazurka
