// Keys of System V objects as names, and the text by which people know the objects.
#pragma once

#include <sys/ipc.h>

#include <cstdio>

#include "runtime/core/runtime.h"

namespace mazurka {

// `space`: "semaphores", "shared memory".
inline ObjectId sysv_name(const char* space, key_t key) {
  char text[64];
  snprintf(text, sizeof text, "key 0x%x (%s)", static_cast<unsigned>(key), space);
  return object_by_name(text, 0, ObjectKind::Named, Storage::Name);
}

inline int64_t sysv_open_flags(int flags) {
  return ((flags & IPC_CREAT) != 0 ? kCreate : 0) | ((flags & IPC_EXCL) != 0 ? kExclusive : 0);
}

}  // namespace mazurka
