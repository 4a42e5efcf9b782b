// The model of reader-writer locks, as glibc's default: readers are preferred, so a reader gets in
// while a writer waits.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "objects/op_functions.h"
#include "objects/operation.h"

namespace mazurka {

// Readers that are known by name. When more threads read at once, an unlock by an unknown one is
// believed.
inline constexpr uint32_t kMaxKnownReaders = 16;

struct RwLock {
  struct Reader {
    ThreadId thread = kNoThread;
    uint16_t count = 0;
  };

  ThreadId writer = kNoThread;
  uint16_t known_readers = 0;  // entries of `readers` in use
  uint32_t holds = 0;          // read locks held, all readers together
  uint32_t unknown_holds = 0;  // of these, the ones that found no entry
  uint32_t padding = 0;
  // The latest time of a reader's operation. Readers commute, so one must not see the time of
  // another: only writers do.
  int64_t readers_clock_ns = 0;
  Reader readers[kMaxKnownReaders];

  bool held() const { return writer != kNoThread || holds > 0; }
  bool reads(ThreadId thread) const;
  void add_reader(ThreadId thread);
  // False if the thread does not hold it for reading.
  bool remove_reader(ThreadId thread);
};
static_assert(std::is_trivially_copyable_v<RwLock>);

namespace on_rwlock {

EnabledFunction read_lock_enabled, write_lock_enabled;
// The value of an unlock's effect: 1 if a write lock was released, 0 if a read lock was.
ApplyFunction read_lock, write_lock, unlock, destroy;
AccessFunction read_lock_accesses, write_lock_accesses, unlock_accesses, destroy_accesses;
MisuseFunction unlock_misuse, destroy_misuse;
MentionFunction read_lock_mentions, write_lock_mentions, unlock_mentions;
CommuteFunction commute;
StateFunction state;

}  // namespace on_rwlock

}  // namespace mazurka
