// Locks of files for random scripts (random_script.h).
#pragma once

#include <cstdint>

#include "testing/scripts/script.h"

namespace mazurka {

// Two open descriptions of one file; whoever is created holds both.
struct FileToLock {
  ObjectId file = kNoObject;
  ObjectId descriptions[2] = {};
};

FileToLock add_file(Script& script);

// One operation, chosen by `random`, 0..kFileLockChoices-1.
inline constexpr uint32_t kFileLockChoices = 1u << 16;
Operation random_file_lock(const FileToLock& file, uint32_t random);

}  // namespace mazurka
