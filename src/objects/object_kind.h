// The kinds of communication objects. Each has a row in the table of kinds (kind_table.h), and its
// state in Object (world.h).
#pragma once

#include <cstdint>

namespace mazurka {

enum class ObjectKind : uint8_t {
  None,  // no such object in this execution
  Mutex,
  Condition,
  RwLock,
  Barrier,
  Semaphore,  // POSIX, or one of a System V set
  SemSet,
  Named,
  Once,
  Futex,
  Variable,
  Event,  // the name of one; it has no state
  Channel,
  Description,
  Queue,
  Timer,
  Address,
  File,       // its locks
  FileName,   // a path, existing or not
  FileData,   // what is in a file
  Generator,  // random numbers of libc

  kCount,
};

}  // namespace mazurka
