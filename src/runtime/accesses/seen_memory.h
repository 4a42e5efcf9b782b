// Programs whose memory accesses are seen: some module was built with mazurka-cc or mazurka-c++
// (-fsanitize=thread). What the runtime keeps about memory lies at fixed addresses beside the
// segment, in two parts: one that all processes share, and one of each process that a reset in
// place leaves alone.
#pragma once

#include <cstdint>

#include "runtime/accesses/spin_trail.h"
#include "runtime/core/runtime.h"

namespace mazurka {

// Whether any process of the program has an instrumented module.
inline bool memory_is_seen() { return segment().control.memory_is_seen != 0; }

// Whether atomic operations are operations on variables: of instrumented code, or of locked
// instructions that were replaced (patches/patches.h).
inline bool variables_are_seen() {
  return memory_is_seen() || segment().control.atomics_are_seen != 0;
}

// What processes share. Of this execution, unless it says otherwise.
inline constexpr uint64_t kSharedMemoryAddress = 0x7100'0000'0000;
// The private part: shadow memory. Nothing here is copied by a reset in place.
inline constexpr uint64_t kShadowAddress = 0x1000'0000'0000;
inline constexpr uint64_t kShadowEnd = 0x5000'0000'0000;

inline constexpr uint32_t kMostGenerations = 1u << 20;

// Variables that lie, at least with their first byte, in one word of 8 bytes.
struct VariableWord {
  uint64_t address;
  uint32_t space;
  uint32_t generation;
  uint32_t count;
  struct Entry {
    ObjectId object;
    uint8_t offset;
    uint8_t size;
  } entries[40];  // every place and size of up to 8 bytes, and some that are larger
};
inline constexpr uint32_t kMaxVariableWords = 1u << 17;

inline constexpr uint32_t kMaxOldAccesses = 1u << 20;
inline constexpr uint64_t kClockWords = uint64_t{1} << 28;
inline constexpr uint64_t kSharedShadowBytes = uint64_t{1} << 34;

// A look at a variable by a thread that may be spinning.
struct SpinVisit {
  SpinState state;
  ObjectId variable;
  uint32_t changes;  // of the variable, as the thread knows it
};
inline constexpr uint32_t kMaxSpinVisits = 48;

// An access that a shadow cell has no room for (race_shadow.h).
struct OldAccess {
  uint64_t epoch;
  uint64_t pc;
  uint32_t next;  // 0: none
  uint32_t flags;
};

// Memory that processes share, and where its shadow lies.
struct SharedShadow {
  uint64_t identity;
  uint64_t page;    // of the memory
  uint64_t length;  // in bytes, of the memory
  uint64_t place;   // in the file, of the shadow
};
inline constexpr uint32_t kMaxSharedShadows = 1024;

// Locks that protect a byte, as far as has been seen (lock_discipline.h).
struct LockSet {
  uint32_t count;
  ObjectId locks[kMostDisciplineLocks];
};
struct DisciplinedByte {
  enum class State : uint8_t { Virgin, Initialised, Used };
  State state;
  bool has_locks;
  bool shared;   // by more than one thread
  bool written;  // after its initialisation
  bool reported;
  uint8_t padding;
  ThreadId owner;  // who may initialise it
  ThreadId first;  // who was there first
  uint32_t begun;  // transitions of the owner when it began to initialise it
  uint32_t last_flags;
  LockSet locks;
  uint64_t last_epoch;
  uint64_t last_pc;
};
struct DisciplinedWord {
  uint64_t address;
  uint32_t space;
  uint32_t generation;
  // For shared_words.cc.
  bool is_touched;
  bool is_touched_by_many;
  bool is_touched_to_write;
  uint8_t padding;
  ThreadId toucher;  // the first
  uint16_t more_padding;
  DisciplinedByte bytes[8];
};
inline constexpr uint32_t kMaxDisciplinedWords = 1u << 18;

// What handlers of signals access (handler_accesses.h), in all executions.
struct HandlerWord {
  uint64_t address;
  uint8_t read;  // bytes, as a mask
  uint8_t written;
  uint8_t padding[6];
};
inline constexpr uint32_t kMaxHandlerWords = 64;

struct SharedPart {
  uint32_t generation;          // the number of the execution, from 1; begins again, cleared, after
                                // kMostGenerations
  uint32_t most_further_words;  // into which a variable reaches, beyond the one where it begins
  uint32_t old_access_count;
  uint32_t free_old_access;
  uint32_t clock_stride;  // words of a row
  uint32_t clock_rows;
  uint32_t shadow_count;
  uint32_t handler_word_count;
  HandlerWord handler_words[kMaxHandlerWords];
  uint64_t shadow_end;
  struct Row {
    uint32_t generation;
    uint32_t row;
  };
  Row object_rows[4][kMaxObjects];
  uint32_t locks_before_count;
  FileLock locks_before[kMaxFileLocks];  // of files, before the present step
  uint32_t thread_generations[kMaxThreads];
  SpinVisit visits[kMaxThreads][kMaxSpinVisits];  // by thread; how many count is in spin_trail.cc
  SharedShadow shadows[kMaxSharedShadows];
  VariableWord variables[kMaxVariableWords];
  OldAccess old_accesses[kMaxOldAccesses];
  DisciplinedWord disciplined[kMaxDisciplinedWords];
  uint32_t clocks[kClockWords];
};

inline SharedPart& shared_part() { return *reinterpret_cast<SharedPart*>(kSharedMemoryAddress); }

// An instrumented module is there: from now on memory is seen. May come before anything else.
void meet_instrumented_module();
// Locked instructions of this process were replaced.
void see_variables();
// Libc is ready: we may look around.
void may_see_memory();
// Makes the shared part accessible in this process. To be called wherever memory_is_seen() may have
// become true elsewhere.
void map_shared_part();
// The server, before each execution.
void begin_seen_execution();

// Executions may begin later than the program's own code does (beginning.h). Then what was seen up
// to there is brought back at the beginning of each. From now on it is noted:
void note_seen_memory();
// Up to now. False: it is more, or of another kind, than can be brought back.
bool save_seen_memory();
// Requires begin_seen_execution() before.
void restore_seen_memory();

// The segment's own file. A raw descriptor, to be closed.
long open_segment_file();
// Where in that file the shadow of this part of shared memory lies.
inline constexpr uint64_t kNoSharedShadow = ~uint64_t{0};
uint64_t place_of_shared_shadow(uint64_t identity, uint64_t offset, uint64_t length);

// The variables that an operation on these bytes touches: its own, made if there is none; and, as
// parts of the operation, those that lie in the same bytes.
void find_variables(const void* address, uint8_t size, Operation& op);

}  // namespace mazurka
