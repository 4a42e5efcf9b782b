// The model of pthread mutexes (normal, recursive, error-checking, robust) and spin locks, as glibc
// has them. A lock that cannot be taken is disabled, also by its own owner: the search then reports
// the deadlock.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "objects/op_functions.h"
#include "objects/operation.h"

namespace mazurka {

enum class MutexType : uint8_t { Normal, Recursive, ErrorCheck, Spin };

struct Mutex {
  ThreadId owner = kNoThread;
  MutexType type = MutexType::Normal;
  bool robust = false;
  uint32_t depth = 0;            // of a recursive mutex: how many times it is locked
  bool owner_dead = false;       // robust: free, and the next owner is told
  bool inconsistent = false;     // robust: owned by one who was told, and has not repaired it yet
  bool not_recoverable = false;  // robust: unlocked without repair
  uint8_t padding = 0;

  bool locked() const { return owner != kNoThread; }
  // Whether unlocking or waiting without owning it is an error that is returned, not undefined
  // behaviour.
  bool checks_owner() const {
    return robust || type == MutexType::Recursive || type == MutexType::ErrorCheck;
  }
  bool would_block(ThreadId thread) const {
    if (!locked()) return false;
    if (owner != thread) return true;
    return type == MutexType::Normal || type == MutexType::Spin;
  }

  // Takes it if that is possible now. 0 and EOWNERDEAD: taken. EBUSY: would block. EDEADLK, EAGAIN,
  // ENOTRECOVERABLE: not taken, and not for want of waiting.
  int lock(ThreadId thread);
  // One level. Requires that `thread` owns it.
  void unlock();
  // Its owner ended.
  void abandon();
};
static_assert(std::is_trivially_copyable_v<Mutex> && sizeof(Mutex) == 12);

namespace on_mutex {

EnabledFunction lock_enabled;
ApplyFunction lock, unlock, destroy, make_consistent;
AccessFunction lock_accesses, unlock_accesses, write_accesses;
MisuseFunction unlock_misuse, destroy_misuse;
CommuteFunction commute;
StateFunction state;

}  // namespace on_mutex

}  // namespace mazurka
