// The model of System V semaphore sets: semop and semctl. The parts of an operation name the
// semaphores; the set is an object of its own, which every operation reads and IPC_RMID writes.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "objects/op_functions.h"
#include "objects/operation.h"

namespace mazurka {

inline constexpr int32_t kMaxSystemVValue = 32767;  // SEMVMX

struct SemSet {
  uint32_t count = 0;  // semaphores in it
};
static_assert(std::is_trivially_copyable_v<SemSet>);

// What a Semop would give now, or right after `first`, another Semop that succeeds now: 0, an errno
// value, or kSemopBlocks.
inline constexpr int kSemopBlocks = -1;
int semop_result(const World& world, const Operation& op, const Operation* first = nullptr);

// Whether SEM_UNDO owes anything at the end of the process.
bool owes_undo(const World& world, ProcessId process);
// Pays it. Requires that the process ends now.
void pay_undo(World& world, ProcessId process);

namespace on_sem_set {

EnabledFunction semop_enabled;
ApplyFunction semop, set, get, remove;
AccessFunction semop_accesses, set_accesses, get_accesses, remove_accesses;
MentionFunction semop_mentions;
// Whether neither changes what the other one returns. Requires two Semops.
bool semops_commute(const World& world, const Party& x, const Party& y);
StateFunction state;

}  // namespace on_sem_set

}  // namespace mazurka
