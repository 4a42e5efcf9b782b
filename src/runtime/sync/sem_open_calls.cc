// sem_open, sem_close, sem_unlink. The semaphores lie in a shared memory of ours that every process
// maps at the same address; each has a place that follows from who made it, so a pointer is the
// same in every execution. sem_wait and the rest find them by their tags, like any other.
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstdarg>
#include <cstring>

#include "runtime/accesses/seen_memory.h"
#include "runtime/core/limits.h"
#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/processes/shared_memory.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/reset/server.h"
#include "runtime/sync/posix_names.h"
#include "runtime/sync/semaphore_calls.h"

namespace mazurka {
namespace {

constexpr char kSpace[] = "sem";
constexpr uint64_t kBase = 0x7140'0000'0000;
constexpr uint32_t kSlots = 1u << 14;
constexpr uint32_t kPerThread = 256;

// Sparse: only what is used has pages.
struct NamedSemaphores {
  uint32_t made[kSlots];  // by the thread with that slot
  sem_t semaphores[kSlots][kPerThread];
};
constexpr uint64_t kBytes = round_to_pages(sizeof(NamedSemaphores));
static_assert(kSharedMemoryAddress + sizeof(SharedPart) <= kBase, "both may be mapped");

NamedSemaphores* mapped = nullptr;

sem_t* fail(int error) {
  errno = error;
  return SEM_FAILED;
}

int result_of(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

NamedSemaphores& named_semaphores() {
  if (mapped != nullptr) return *mapped;
  if (segment().shared_memories[kSemaphoreMemory].server_fd <= 0)
    runtime_error("a named semaphore opened before main is not supported");
  const long address = map_own_memory(kSemaphoreMemory, kBase, kBytes);
  if (raw_failed(address)) runtime_error("the memory of the named semaphores cannot be mapped");
  mapped = reinterpret_cast<NamedSemaphores*>(address);
  remember_shared_mapping(mapped, kBytes, kBase, 0);
  return *mapped;
}

sem_t* make_semaphore(ObjectId name, unsigned value) {
  NamedSemaphores& all = named_semaphores();
  const uint16_t slot = slot_of(current_thread());
  uint32_t& count = all.made[slot];
  if (count >= kPerThread)
    limit_reached("more named semaphores than Mazurka can give to one thread (256)");
  sem_t* const semaphore = &all.semaphores[slot][count++];
  const ObjectId made = make_tagged_object(semaphore, ObjectKind::Semaphore);
  world().object(made).semaphore.value = static_cast<int32_t>(value);
  // People know it by its name, not by its place.
  const Names& names = segment().names;
  ObjectPlace& place = segment().names.places[index(made)];
  if (place.storage != Storage::Name) {
    place = names.places[index(name)];
  }
  return semaphore;
}

bool is_named_semaphore(const sem_t* semaphore) {
  const auto address = reinterpret_cast<uint64_t>(semaphore);
  return mapped != nullptr && address - kBase < kBytes &&
         tagged_object(semaphore, ObjectKind::Semaphore) != kNoObject;
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT sem_t* sem_open(const char* text, int flags, ...) {
  mode_t mode = 0;
  unsigned value = 0;
  if ((flags & O_CREAT) != 0) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    value = va_arg(rest, unsigned);
    va_end(rest);
  }
  if (!attached()) return REAL(sem_open)(text, flags, mode, value);
  const Call call = MAZURKA_HERE;
  if (const int wrong = error_in_name(text); wrong != 0) return fail(wrong);
  if (value > SEM_VALUE_MAX) return fail(EINVAL);
  begin_executions();
  need_fork("sem_open");
  const ObjectId name = posix_name(text, kSpace);
  const Effect opened = reach_name(OpKind::NameOpen, name, name_open_flags(flags), call);
  if (opened.error != 0) return fail(opened.error);
  Named& named = world().object(name).named;
  if (opened.value == 1) {
    named.value = reinterpret_cast<int64_t>(make_semaphore(name, value));
  } else {
    named_semaphores();  // this process may not have mapped them yet
  }
  return reinterpret_cast<sem_t*>(named.value);
}

MAZURKA_EXPORT int sem_close(sem_t* semaphore) {
  if (!attached()) return REAL(sem_close)(semaphore);
  return result_of(is_named_semaphore(semaphore) ? 0 : EINVAL);
}

MAZURKA_EXPORT int sem_unlink(const char* text) {
  if (!attached()) return REAL(sem_unlink)(text);
  const Call call = MAZURKA_HERE;
  if (error_in_name(text) != 0) return result_of(ENOENT);
  return result_of(reach_name(OpKind::NameUnlink, posix_name(text, kSpace), 0, call).error);
}
