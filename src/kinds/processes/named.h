// The model of names and keys (sem_open, shm_open, semget, shmget): whether the name exists now,
// and what it leads to.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "objects/op_functions.h"
#include "objects/operation.h"

namespace mazurka {

// Bits of Operation::value for NameOpen.
inline constexpr int64_t kCreate = 1;     // O_CREAT, IPC_CREAT
inline constexpr int64_t kExclusive = 2;  // O_EXCL, IPC_EXCL

struct Named {
  bool exists = false;
  uint8_t padding[3] = {};
  uint32_t generation = 0;      // how often it was made
  ObjectId target = kNoObject;  // what it leads to: Operation::second of the NameOpen that made it,
                                // or set by the caller
  uint32_t padding2 = 0;
  int64_t value = 0;  // of the caller: a size, an id
};
static_assert(std::is_trivially_copyable_v<Named>);

// NameOpen without kCreate fails with ENOENT where there is no such name, with both flags with
// EEXIST where there is. The value of its effect: 1 if it made the name, 0 if it found it. Never
// disabled.

namespace on_name {

ApplyFunction open, unlink;
AccessFunction open_accesses, unlink_accesses;
StateFunction state;

}  // namespace on_name

}  // namespace mazurka
