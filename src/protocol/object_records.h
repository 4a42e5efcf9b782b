// What the runtime keeps of an execution's objects beside their models, for all processes of the
// program: System V ids, descriptors, sockets.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "protocol/layout.h"

namespace mazurka {

inline constexpr uint32_t kMaxSemSets = 1024;
inline constexpr uint32_t kMaxQueues = 256;
inline constexpr uint32_t kMaxDescriptors = 4096;
inline constexpr uint32_t kMaxSockets = 1024;

struct SemSetRecord {  // a System V semaphore set of this execution
  int32_t id;
  int32_t key;
  ObjectId set;
  ObjectId name;   // kNoObject: IPC_PRIVATE
  uint32_t count;  // semaphores
  uint32_t mode;
};
static_assert(is_laid_out<SemSetRecord, 24>);

struct QueueRecord {  // a System V message queue of this execution
  int32_t id;
  int32_t key;
  ObjectId queue;
  ObjectId name;  // kNoObject: IPC_PRIVATE
  uint32_t mode;
};
static_assert(is_laid_out<QueueRecord, 20>);

// A descriptor of a process that leads to a description with a model; the kernel has it, too.
struct DescriptorRecord {
  ProcessId process;
  uint8_t closes_on_exec;
  uint8_t padding;
  int32_t fd;
  ObjectId description;
};
static_assert(is_laid_out<DescriptorRecord, 12>);

// Of a socket that finds others by name, what its model does not know.
struct StoredAddress {
  uint32_t length;
  uint32_t padding;
  char bytes[112];
};
static_assert(is_laid_out<StoredAddress, 120>);

struct SocketOption {
  int32_t level;
  int32_t name;
  uint32_t length;
  char value[16];
};
static_assert(is_laid_out<SocketOption, 28>);

struct SocketRecord {
  static constexpr uint32_t kMaxOptions = 12;
  ObjectId description;
  uint32_t birth;  // says which ports it tries
  uint16_t domain;
  uint16_t type;
  uint8_t reuses;    // SO_REUSEADDR
  uint8_t only_ip6;  // IPV6_V6ONLY
  uint16_t option_count;
  StoredAddress local;
  StoredAddress peer;
  SocketOption options[kMaxOptions];
};
static_assert(is_laid_out<SocketRecord, 592>);

}  // namespace mazurka
