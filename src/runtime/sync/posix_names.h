// Names of POSIX semaphores and shared memories: "/name", with or without the slash, as glibc takes
// them.
#pragma once

#include <fcntl.h>
#include <limits.h>

#include <cerrno>
#include <cstring>

#include "base/check.h"
#include "runtime/core/runtime.h"

namespace mazurka {

inline const char* without_slashes(const char* text) { return text + strspn(text, "/"); }

// What glibc fails with where the name is none, or 0.
inline int error_in_name(const char* text) {
  text = without_slashes(text);
  const size_t length = strlen(text);
  if (length == 0 || strchr(text, '/') != nullptr) return EINVAL;
  return length > NAME_MAX - 4 ? ENAMETOOLONG : 0;
}

// Names of semaphores and of memories are different ones: `space` tells them apart. Requires that
// the name is none with an error.
inline ObjectId posix_name(const char* text, const char* space) {
  MAZURKA_CHECK(error_in_name(text) == 0);
  char whole[NAME_MAX + 16] = "/";
  stpcpy(whole + 1, without_slashes(text));
  uint64_t salt = 0;
  for (; *space != '\0'; ++space) salt = salt * 256 + static_cast<unsigned char>(*space);
  return object_by_name(whole, salt, ObjectKind::Named, Storage::Name);
}

inline int64_t name_open_flags(int flags) {
  return ((flags & O_CREAT) != 0 ? kCreate : 0) | ((flags & O_EXCL) != 0 ? kExclusive : 0);
}

}  // namespace mazurka
