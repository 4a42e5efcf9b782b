// shmget, shmat, shmdt, shmctl on memories of ours. Making a private one is invisible; a key is a
// name (kinds/processes/named.h).
//
// As on Linux, a memory that was removed can still be attached by its id while it is in use; here
// always, so that attaching needs no order with the removal.
#include <fcntl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/accesses/visible_accesses.h"
#include "runtime/core/failure.h"
#include "runtime/core/raw.h"
#include "runtime/processes/shared_memory.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/sync/sysv_names.h"

namespace mazurka {
namespace {

constexpr char kSpace[] = "shared memory";

struct Attachment {
  void* start;
  size_t length;
  uint32_t memory;
};
constexpr uint32_t kMaxAttachments = 256;
Attachment attachments[kMaxAttachments];  // of this process

void* fail_to_attach(int error) {
  errno = error;
  return reinterpret_cast<void*>(-1);
}

Attachment* find_attachment(const void* start) {
  for (Attachment& attachment : attachments) {
    if (attachment.start == start) return &attachment;
  }
  return nullptr;
}

uint32_t make_memory(int32_t id, int32_t key, uint64_t size) {
  const uint32_t place = take_memory(new_identity());
  SharedMemory& memory = segment().shared_memories[place];
  memory.id = id;
  memory.key = key;
  memory.size = size;
  const long fd = open_memory(place, O_RDWR | O_CLOEXEC);
  if (raw_failed(fd)) runtime_error("System V shared memory cannot be opened");
  program_syscall(SYS_ftruncate, fd, static_cast<long>(round_to_pages(size)));
  program_syscall(SYS_close, fd);
  return place;
}

int get_private(size_t size) {
  const int32_t id =
      id_for_private([](int32_t i) { return memory_with_id(i) != kMaxSharedMemories; });
  make_memory(id, IPC_PRIVATE, size);
  return id;
}

int get_by_key(key_t key, size_t size, int flags, Call call) {
  const ObjectId name = sysv_name(kSpace, key);
  const Effect opened = reach_name(OpKind::NameOpen, name, sysv_open_flags(flags), call);
  if (opened.error != 0) return fail(opened.error);
  Named& named = world().object(name).named;
  if (opened.value == 1) {
    if (size == 0) {
      happen_at_once({.kind = OpKind::NameUnlink, .object = name}, call);
      return fail(EINVAL);
    }
    named.value = make_memory(id_from_key(key, named.generation), key, size);
  }
  const SharedMemory& memory = segment().shared_memories[named.value];
  return size > memory.size ? fail(EINVAL) : memory.id;
}

void* attach_memory(uint32_t place, const void* hint, int flags, Call call) {
  Attachment* const entry = find_attachment(nullptr);
  if (entry == nullptr) return fail_to_attach(EMFILE);
  SharedMemory& memory = segment().shared_memories[place];
  const bool read_only = (flags & SHM_RDONLY) != 0;
  const size_t length = round_to_pages(memory.size);
  const int protection =
      PROT_READ | (read_only ? 0 : PROT_WRITE) | ((flags & SHM_EXEC) != 0 ? PROT_EXEC : 0);
  auto wanted = reinterpret_cast<uint64_t>(hint);
  if (wanted % kPageSize != 0) {
    if ((flags & SHM_RND) == 0) return fail_to_attach(EINVAL);
    wanted -= wanted % kPageSize;
  }
  const long fd = open_memory(place, (read_only ? O_RDONLY : O_RDWR) | O_CLOEXEC);
  if (raw_failed(fd)) return fail_to_attach(static_cast<int>(-fd));
  const int how = MAP_SHARED | ((flags & SHM_REMAP) != 0 ? MAP_FIXED : MAP_FIXED_NOREPLACE);
  const long address = wanted == 0
                           ? map_anywhere(length, protection, MAP_SHARED, fd, 0)
                           : program_syscall(SYS_mmap, static_cast<long>(wanted),
                                             static_cast<long>(length), protection, how, fd, 0);
  program_syscall(SYS_close, fd);
  if (raw_failed(address))
    return fail_to_attach(address == -EEXIST ? EINVAL : static_cast<int>(-address));
  *entry = {reinterpret_cast<void*>(address), length, place};
  ++memory.attached;
  remember_shared_mapping(entry->start, length, memory.identity, 0);
  (void)call;
  return entry->start;
}

void describe(const SharedMemory& memory, shmid_ds& to) {
  memset(&to, 0, sizeof to);
  to.shm_perm.__key = memory.key;
  to.shm_perm.uid = to.shm_perm.cuid = getuid();
  to.shm_perm.gid = to.shm_perm.cgid = getgid();
  to.shm_perm.mode = static_cast<unsigned short>(0600 | (memory.removed ? SHM_DEST : 0));
  to.shm_segsz = memory.size;
  to.shm_nattch = memory.attached;
}

int remove_memory(SharedMemory& memory, Call call) {
  if (memory.key != IPC_PRIVATE && !memory.removed) {
    reach_name(OpKind::NameUnlink, sysv_name(kSpace, memory.key), 0, call);
  }
  memory.removed = 1;
  return 0;
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int shmget(key_t key, size_t size, int flags) noexcept {
  if (!attached()) return REAL(shmget)(key, size, flags);
  if (key != IPC_PRIVATE) return get_by_key(key, size, flags, MAZURKA_HERE);
  return size == 0 ? fail(EINVAL) : get_private(size);
}

MAZURKA_EXPORT void* shmat(int id, const void* hint, int flags) noexcept {
  if (!attached()) return REAL(shmat)(id, hint, flags);
  const uint32_t place = memory_with_id(id);
  return place == kMaxSharedMemories ? fail_to_attach(EINVAL)
                                     : attach_memory(place, hint, flags, MAZURKA_HERE);
}

MAZURKA_EXPORT int shmdt(const void* start) noexcept {
  if (!attached()) return REAL(shmdt)(start);
  Attachment* const entry = start != nullptr ? find_attachment(start) : nullptr;
  if (entry == nullptr) return fail(EINVAL);
  settle_store();
  program_syscall(SYS_munmap, address_of(entry->start), static_cast<long>(entry->length));
  forget_mapping(entry->start, entry->length);
  --segment().shared_memories[entry->memory].attached;
  *entry = {};
  return 0;
}

MAZURKA_EXPORT int shmctl(int id, int command, shmid_ds* data) noexcept {
  if (!attached()) return REAL(shmctl)(id, command, data);
  const Call call = MAZURKA_HERE;
  const uint32_t place = memory_with_id(id);
  if (place == kMaxSharedMemories) return fail(EINVAL);
  SharedMemory& memory = segment().shared_memories[place];
  switch (command) {
    case IPC_RMID:
      return remove_memory(memory, call);
    case IPC_STAT:
      if (!world().alone(current_thread()))
        name_unmodelled("shmctl IPC_STAT while others may attach the memory", call);
      describe(memory, *data);
      return 0;
    case IPC_SET:
      name_unmodelled("shmctl IPC_SET (it changes nothing)", call);
      return 0;
    case SHM_LOCK:
    case SHM_UNLOCK:
      return 0;
    default:
      name_unmodelled("shmctl with this command", call);
      return fail(EINVAL);
  }
}
