// mmap and its kin, and memfd_create: memory that processes share is remembered, so that the
// objects in it belong to all; what the kernel would place goes where the thread's own past says
// (shared_memory.h). The rest passes through.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdarg>

#include "runtime/accesses/visible_accesses.h"
#include "runtime/core/failure.h"
#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/files/mapped_files.h"
#include "runtime/processes/shared_memory.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/syscalls/watched_calls.h"

namespace mazurka {
namespace {

void* to_pointer(long result) {
  if (!raw_failed(result)) return reinterpret_cast<void*>(result);
  errno = static_cast<int>(-result);
  return MAP_FAILED;
}

bool is_shared(int flags) {
  const int type = flags & MAP_TYPE;
  return type == MAP_SHARED || type == MAP_SHARED_VALIDATE;
}

bool is_anonymous(int flags) { return (flags & MAP_ANONYMOUS) != 0; }

// What the kernel must place itself.
bool wants_own_place(int flags) {
  return (flags & (MAP_FIXED | MAP_32BIT | MAP_GROWSDOWN | MAP_HUGETLB)) != 0;
}

void remember(const void* start, size_t length, int protection, int flags, long fd, uint64_t offset,
              Call call) {
  if (is_anonymous(flags)) {
    if (!state.scheduling)
      name_unmodelled("shared memory made before main (it outlives an execution)", call);
    remember_shared_mapping(start, length, new_identity(), 0);
    return;
  }
  struct stat status = {};
  if (raw_failed(program_syscall(SYS_fstat, fd, address_of(&status)))) return;
  // A deleted file (a memfd, a temporary one) is gone with its last descriptor; any other is there
  // in the next execution.
  if (S_ISREG(status.st_mode) && status.st_nlink > 0 && (protection & PROT_WRITE) != 0) {
    need_private_files(MAZURKA_LASTING("a file written through a shared mapping"), call);
  }
  remember_shared_mapping(start, length, identity_of_file(fd, status), offset);
}

void* map_file(void* hint, size_t length, int protection, int flags, int fd, off_t offset,
               Call call) {
  const auto place = static_cast<uint64_t>(offset);
  const bool kernel_chooses = hint != nullptr || wants_own_place(flags);
  const long mapped = kernel_chooses
                          ? program_syscall(SYS_mmap, address_of(hint), static_cast<long>(length),
                                            protection, flags, fd, offset)
                          : map_anywhere(length, protection, flags, fd, place);
  if (raw_failed(mapped)) return to_pointer(mapped);
  void* const start = to_pointer(mapped);
  const size_t whole = round_to_pages(length);
  if (is_shared(flags)) {
    remember(start, whole, protection, flags, fd, place, call);
  } else if (kernel_chooses) {
    forget_mapping(start, whole);
  }
  return start;
}

void* map(void* hint, size_t length, int protection, int flags, int fd, off_t offset, Call call) {
  const bool is_private_file = uses_private_files() && !is_anonymous(flags);
  const int mapped = is_private_file
                         ? file_to_map(fd, is_shared(flags) && (protection & PROT_WRITE) != 0, call)
                         : fd;
  void* const start = map_file(hint, length, protection, flags, mapped, offset, call);
  if (mapped != fd) program_syscall(SYS_close, mapped);
  return start;
}

long move(void* old, size_t old_length, size_t length, int flags, void* to) {
  const auto remap = [&](int how, uint64_t where) {
    return program_syscall(SYS_mremap, address_of(old), static_cast<long>(old_length),
                           static_cast<long>(length), how, static_cast<long>(where));
  };
  if (flags != MREMAP_MAYMOVE) return remap(flags, reinterpret_cast<uint64_t>(to));
  // In place where that is possible; whether it is depends on the same thread's mappings alone.
  const long result = remap(0, 0);
  if (result != -ENOMEM) return result;
  const uint64_t place = place_for_mapping(length);
  return place == 0 ? remap(MREMAP_MAYMOVE, 0) : remap(MREMAP_MAYMOVE | MREMAP_FIXED, place);
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT void* mmap(void* hint, size_t length, int protection, int flags, int fd,
                          off_t offset) noexcept {
  if (attached()) return map(hint, length, protection, flags, fd, offset, MAZURKA_HERE);
  return to_pointer(program_syscall(SYS_mmap, address_of(hint), static_cast<long>(length),
                                    protection, flags, fd, offset));
}

MAZURKA_EXPORT void* mmap64(void* hint, size_t length, int protection, int flags, int fd,
                            off64_t offset) noexcept {
  if (attached()) return map(hint, length, protection, flags, fd, offset, MAZURKA_HERE);
  return to_pointer(program_syscall(SYS_mmap, address_of(hint), static_cast<long>(length),
                                    protection, flags, fd, offset));
}

MAZURKA_EXPORT int munmap(void* start, size_t length) noexcept {
  settle_store();
  const long result = program_syscall(SYS_munmap, address_of(start), static_cast<long>(length));
  if (raw_failed(result)) return number_with_errno(result);
  if (attached()) forget_mapping(start, round_to_pages(length));
  return 0;
}

MAZURKA_EXPORT void* mremap(void* old, size_t old_length, size_t length, int flags, ...) noexcept {
  void* to = nullptr;
  if ((flags & MREMAP_FIXED) != 0) {
    va_list rest;
    va_start(rest, flags);
    to = va_arg(rest, void*);
    va_end(rest);
  }
  if (!attached()) {
    return to_pointer(program_syscall(SYS_mremap, address_of(old), static_cast<long>(old_length),
                                      static_cast<long>(length), flags, address_of(to)));
  }
  settle_store();
  uint64_t identity = 0;
  uint64_t offset = 0;
  const bool shared = find_shared_mapping(old, identity, offset);
  const long result = move(old, old_length, length, flags, to);
  if (raw_failed(result)) return to_pointer(result);
  void* const start = to_pointer(result);
  if (old_length != 0)
    forget_mapping(old, round_to_pages(old_length));  // 0 duplicates a shared mapping
  forget_mapping(start, round_to_pages(length));
  if (shared) remember_shared_mapping(start, round_to_pages(length), identity, offset);
  return start;
}

MAZURKA_EXPORT int memfd_create(const char* name, unsigned flags) noexcept {
  const long fd = program_syscall(SYS_memfd_create, address_of(name), flags);
  if (raw_failed(fd)) return number_with_errno(fd);
  if (attached()) name_file(fd, new_identity());
  return static_cast<int>(fd);
}
