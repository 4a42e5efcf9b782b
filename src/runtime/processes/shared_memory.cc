#include "runtime/processes/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/reset/kernel_effects.h"

namespace mazurka {
namespace {

// Mappings of each thread lie in a range of its own, above the segment and the named semaphores.
constexpr uint64_t kMappingBase = 0x7200'0000'0000;
constexpr uint64_t kMappingStride = 0x2000'0000;

// Of the threads of this process, by id.
struct Made {
  uint64_t mapped;  // bytes of its range handed out
  uint32_t identities;
};
Made made[kMaxThreads];

uint64_t mix(uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93;
  return x ^ (x >> 32);
}

// A path stays the same in the next execution, an inode need not.
uint64_t identity_of_path(long fd, const struct stat& status) {
  char link[64];
  char path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%ld", fd);
  const long length =
      program_syscall(SYS_readlink, address_of(link), address_of(path), sizeof path);
  if (raw_failed(length) || status.st_nlink == 0) return mix(status.st_dev ^ mix(status.st_ino));
  uint64_t hash = 0;
  for (long i = 0; i < length; ++i) hash = mix(hash ^ static_cast<unsigned char>(path[i]));
  return hash;
}

}  // namespace

uint64_t new_identity() {
  const uint64_t count = ++made[index(current_thread())].identities;
  const uint64_t image = process_slot(current_process()).execs;
  return mix(count << 32 | image << 16 | slot_of(current_thread()));
}

uint32_t take_memory(uint64_t identity) {
  need_fork("named shared memory");
  for (uint32_t i = kFirstFreeMemory; i < kMaxSharedMemories; ++i) {
    SharedMemory& memory = segment().shared_memories[i];
    if (memory.used || memory.server_fd <= 0) continue;
    const int32_t server_fd = memory.server_fd;
    memory = {};
    memory.server_fd = server_fd;
    memory.used = 1;
    memory.identity = identity;
    return i;
  }
  if (!state.scheduling) runtime_error("shared memory made by name before main is not supported");
  runtime_error("more named shared memories than Mazurka can give to one execution (30)");
}

long open_memory(uint32_t place, int flags) {
  char path[64];
  const Segment& s = segment();
  snprintf(path, sizeof path, "/proc/%d/fd/%d", s.control.server_pid,
           s.shared_memories[place].server_fd);
  const long fd = program_syscall(SYS_openat, AT_FDCWD, address_of(path), flags);
  if (!raw_failed(fd) && place >= kFirstFreeMemory)
    name_file(fd, s.shared_memories[place].identity);
  return fd;
}

long map_own_memory(uint32_t place, uint64_t base, uint64_t bytes) {
  segment().shared_memories[place].used = 1;
  const long fd = open_memory(place, O_RDWR | O_CLOEXEC);
  if (raw_failed(fd)) return fd;
  program_syscall(SYS_ftruncate, fd, static_cast<long>(bytes));
  const long address = program_syscall(SYS_mmap, static_cast<long>(base), static_cast<long>(bytes),
                                       PROT_READ | PROT_WRITE,
                                       MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, fd, 0);
  program_syscall(SYS_close, fd);
  return address;
}

uint32_t memory_with_id(int32_t id) {
  for (uint32_t i = kFirstFreeMemory; i < kMaxSharedMemories; ++i) {
    const SharedMemory& memory = segment().shared_memories[i];
    if (memory.used && memory.id == id) return i;
  }
  return kMaxSharedMemories;
}

void name_file(long fd, uint64_t identity) {
  struct stat status = {};
  if (raw_failed(program_syscall(SYS_fstat, fd, address_of(&status)))) return;
  Segment& s = segment();
  for (uint32_t i = 0; i < s.shared_file_count; ++i) {
    SharedFile& known = s.shared_files[i];
    if (known.device != status.st_dev || known.inode != status.st_ino) continue;
    known.identity = identity;  // the kernel may give the inode of a file that is gone to a new one
    return;
  }
  if (s.shared_file_count >= kMaxSharedFiles)
    runtime_error("more shared files than Mazurka can watch (256)");
  s.shared_files[s.shared_file_count++] = {status.st_dev, status.st_ino, identity};
}

uint64_t identity_of_file(long fd, const struct stat& status) {
  const Segment& s = segment();
  for (uint32_t i = 0; i < s.shared_file_count; ++i) {
    const SharedFile& known = s.shared_files[i];
    if (known.device == status.st_dev && known.inode == status.st_ino) return known.identity;
  }
  return identity_of_path(fd, status);
}

int32_t id_from_key(int32_t key, uint32_t generation) {
  const uint64_t hash = mix(uint64_t{static_cast<uint32_t>(key)} << 32 | generation);
  return static_cast<int32_t>(0x1000'0000 | (hash & 0x0fff'ffff));
}

Effect reach_name(OpKind kind, ObjectId name, int64_t flags, Call call) {
  return destroy({.kind = kind, .object = name, .value = flags}, call);
}

uint64_t place_for_mapping(uint64_t length) {
  uint64_t& mapped = made[index(current_thread())].mapped;
  const uint64_t size = round_to_pages(length);
  if (size == 0 || size > kMappingStride - mapped) return 0;
  const uint64_t address = kMappingBase + slot_of(current_thread()) * kMappingStride + mapped;
  // A page between two mappings: what runs over the end of one is a crash here, too.
  mapped += size + kPageSize > kMappingStride - mapped ? size : size + kPageSize;
  return address;
}

long map_anywhere(uint64_t length, int protection, int flags, long fd, uint64_t offset) {
  const auto map_at = [&](uint64_t address, int more_flags) {
    return program_syscall(SYS_mmap, static_cast<long>(address), static_cast<long>(length),
                           protection, flags | more_flags, fd, static_cast<long>(offset));
  };
  const uint64_t address = place_for_mapping(length);
  if (address == 0) return map_at(0, 0);
  const long mapped = map_at(address, MAP_FIXED_NOREPLACE);
  return mapped == -EEXIST ? map_at(0, 0) : mapped;
}

}  // namespace mazurka
