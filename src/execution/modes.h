// How a program is run, as users choose it. Plain enumerations: the plan, the shared segment and
// the runtime know them alike.
#pragma once

#include <cstdint>

namespace mazurka {

enum class Carrier : uint8_t { Fibers, KernelThreads };

// What becomes of plain memory accesses that we see: checked for races, or operations themselves.
enum class MemoryMode : uint8_t { Races, Visible };

// Stoller's locking discipline: one lock protects a variable in each execution, or the same one in
// all of them (his section 8).
enum class Discipline : uint8_t { Unchecked, Checked, Strict };

// What becomes of locked instructions in code that does not tell us its atomics: operations, where
// they can be replaced, or nothing that we see.
enum class Atomics : uint8_t { Unseen, Seen };

enum class Reset : uint8_t { Fork, InPlace };

// Whether what an execution does to files is its own (runtime/files/private_files.h), which is
// visible then; and whether FIFOs and sockets may be among them, for which each path is looked up a
// second time. Only ever more.
enum class PrivateFiles : uint8_t { None, Plain, WithAddresses };

// What a program was seen to need. Executions have it from their start; only ever more.
struct alignas(4) Needs {  // so that it is atomic without a library
  PrivateFiles files = PrivateFiles::None;
  bool stream_locks = false;  // several threads use one stream: the locks of streams are operations
  bool watches = false;       // locked instructions are operations: plain accesses are watched
  bool padding = false;

  bool operator==(const Needs&) const = default;
};

}  // namespace mazurka
