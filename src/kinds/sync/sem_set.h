// The model of System V semaphore sets: semop and semctl. The parts of an operation name the
// semaphores; the set is an object of its own, which every operation reads and IPC_RMID writes.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "objects/operation.h"

namespace mazurka {

struct World;
struct Outcomes;

inline constexpr int32_t kMaxSystemVValue = 32767;  // SEMVMX

struct SemSet {
  uint32_t count = 0;  // semaphores in it
};
static_assert(std::is_trivially_copyable_v<SemSet>);

// What a Semop would give now, or right after `first`, another Semop that succeeds now: 0, an errno
// value, or kSemopBlocks.
inline constexpr int kSemopBlocks = -1;
int semop_result(const World& world, const Operation& op, const Operation* first = nullptr);

Outcomes sem_set_enabled(const World& world, ThreadId thread, const Operation& op);
Effect sem_set_apply(World& world, ThreadId thread, const Operation& op);

// Whether SEM_UNDO owes anything at the end of the process.
bool owes_undo(const World& world, ProcessId process);
// Pays it. Requires that the process ends now.
void pay_undo(World& world, ProcessId process);

}  // namespace mazurka
