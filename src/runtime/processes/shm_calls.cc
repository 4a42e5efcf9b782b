// shm_open and shm_unlink: the name is an object of kinds/processes/named.h, the memory is one of
// ours (shared_memory.h).
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/core/failure.h"
#include "runtime/core/raw.h"
#include "runtime/processes/shared_memory.h"
#include "runtime/sync/posix_names.h"

namespace mazurka {
namespace {

constexpr char kSpace[] = "shm";

// Where the memory of the name lies; made if `made`.
uint32_t memory_of(ObjectId name, bool made) {
  Named& named = world().object(name).named;
  if (made) named.value = take_memory(new_identity());
  return static_cast<uint32_t>(named.value);
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int shm_open(const char* text, int flags, mode_t mode) {
  if (!attached()) return REAL(shm_open)(text, flags, mode);
  const Call call = MAZURKA_HERE;
  const int wrong = error_in_name(text);
  if (wrong != 0) return fail(wrong);
  const ObjectId name = posix_name(text, kSpace);
  const Effect opened = reach_name(OpKind::NameOpen, name, name_open_flags(flags), call);
  if (opened.error != 0) return fail(opened.error);
  const uint32_t memory = memory_of(name, opened.value == 1);
  const long fd = open_memory(memory, (flags & (O_ACCMODE | O_TRUNC)) | O_CLOEXEC);
  return raw_failed(fd) ? fail(static_cast<int>(-fd)) : static_cast<int>(fd);
}

MAZURKA_EXPORT int shm_unlink(const char* text) {
  if (!attached()) return REAL(shm_unlink)(text);
  const Call call = MAZURKA_HERE;
  if (error_in_name(text) != 0) return fail(ENOENT);
  const int error = reach_name(OpKind::NameUnlink, posix_name(text, kSpace), 0, call).error;
  return error == 0 ? 0 : fail(error);
}
