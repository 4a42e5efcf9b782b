// Uses of files on disk for random scripts (random_script.h).
#pragma once

#include "testing/scripts/dice.h"
#include "testing/scripts/random_file_locks.h"
#include "testing/scripts/script.h"

namespace mazurka {

// Two names in a directory, and what they may lead to.
struct FilesToUse {
  ObjectId directory = kNoObject;
  ObjectId names[2] = {};
  ObjectId data[2] = {};
};

FilesToUse add_files(Script& script, Dice& dice);

// One operation, by descriptions of `open` where it needs one.
Operation random_file_use(Script& script, const FilesToUse& files, const FileToLock& open,
                          Dice& dice);

}  // namespace mazurka
