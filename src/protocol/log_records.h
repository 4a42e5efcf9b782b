// The logs of a batch in the shared segment. The runtime writes them, program/segment_reader.h
// reads and validates them.
//
// The log of the i-th execution is Segment::logs[i], 136 bytes, and ranges of these arrays:
//   steps, 120 bytes each, step_count of them from step_begin on: what happened, in its order.
//     Each has ranges of its own in `enabled` (4 bytes each), `accesses` (12) and `frames` (8);
//   settings and creations, from x_begin up to x_end: what invisible code did. With `position` p it
//     was done before step p, counted from step_begin, and after the one before that;
//   logged_threads, 104 bytes each: the threads as they are at the end;
//   races and guards, 144 and 168 bytes each: what was found out about memory;
//   known_words.words, from word_begin up to word_end: those that became known.
// All of one log lies behind all of the log before it. An index is that of an element of the array,
// not of a byte; a range with a count of 0 may begin anywhere. The text of a step is an offset in
// Segment::text, where it ends with a zero; 0: none.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "execution/memory_places.h"
#include "objects/operation.h"
#include "objects/world.h"
#include "protocol/layout.h"

namespace mazurka {

inline constexpr uint32_t kMaxEnabled = 1u << 22;
inline constexpr uint32_t kMaxAccesses = 1u << 22;
inline constexpr uint32_t kMaxSettings = 1u << 16;
inline constexpr uint32_t kMaxCreations = 1u << 14;
inline constexpr uint32_t kMaxLoggedThreads = 1u << 14;
inline constexpr uint32_t kMaxRaces = 1u << 12;
inline constexpr uint32_t kMaxGuards = 1u << 15;
inline constexpr uint32_t kMaxFrames = 1u << 20;

enum class Ending : uint8_t {
  None,      // still running
  Finished,  // every thread stands at exit
  Deadlock,
  Bounded,  // somebody stands at the bound, nobody is enabled
  DepthReached,
  NeedsFork,   // it would leave a trace that a reset in place does not undo: `text`
  NeedsFiles,  // it is about to change a file, and has no private ones, or not of that kind: the
               // next PrivateFiles
  NeedsStreamLocks,  // several threads use one stream, whose lock is no operation yet
  NeedsLoop,         // a thread waits in a loop that is not known yet: Segment::loop
  NeedsWatches,      // a locked instruction is an operation, and plain accesses are not watched
  NeedsAccesses,     // plain accesses that are not known yet: Segment::watch
  Blocked,           // only sleeping transitions are enabled
  Livelock,          // `culprit` was disabled for too long
  Nondeterminism,    // step `position` did not do what the plan says
  RuntimeError,      // our own trouble inside the program: `text`
};

// The log of an execution in a batch. What has a begin belongs to it alone; other ends are places
// in the arrays.
struct LogHeader {
  Ending ending;
  uint8_t first_process_ended;
  ThreadId culprit;  // Livelock, Nondeterminism: who
  uint32_t step_begin;
  uint32_t step_count;
  uint32_t setting_begin;
  uint32_t setting_end;
  uint32_t creation_begin;
  uint32_t creation_end;
  uint32_t thread_begin;  // filled in at its end
  uint32_t thread_end;
  uint32_t race_begin;
  uint32_t race_end;
  uint32_t remembered;  // accesses to the watched word (race_log.cc)
  uint32_t guard_begin;
  uint32_t guard_end;
  uint32_t enabled_end;  // so far, of all logs of the batch; and the next two
  uint32_t frame_end;
  uint32_t access_end;
  uint32_t word_begin;  // of the known words, those that this execution met first
  uint32_t word_end;
  uint32_t position;    // Nondeterminism: which step
  uint32_t text;        // RuntimeError, NeedsFork: why
  int32_t wait_status;  // of the first process, if it ended
  Operation got;        // Nondeterminism: what came instead
};
static_assert(is_laid_out<LogHeader, 136>);

struct LoggedStep {
  Choice choice;
  ProcessId process;
  uint16_t frame_count;
  uint32_t frame_begin;    // the call stack, with stacks only
  uint32_t enabled_begin;  // choices that were enabled, after the prefix only, with lists_enabled
  uint32_t enabled_count;
  uint32_t access_begin;
  uint32_t access_count;
  uint16_t accesses_everything;  // more than fit
  uint16_t is_hurried;           // with invisible_first: it belongs to the transition before
  uint32_t text;                 // assertion text, misuse details; 0 for none
  uint32_t padding;
  Operation op;
  Effect effect;
  uint64_t pc;             // return address of the call
  uint64_t output_before;  // with show_output: bytes that the program had written when the step was
                           // chosen
};
static_assert(is_laid_out<LoggedStep, 120>);

// What invisible code did to the world: step `position` was the next after it.
struct LoggedSetting {
  uint32_t position;
  ObjectId object;
  Object state;  // as it was after that
};
// An Object has parts that only some kinds use.
static_assert(sizeof(LoggedSetting) == offsetof(LoggedSetting, state) + sizeof(Object) &&
              offsetof(LoggedSetting, state) == 8);

struct LoggedCreation {
  uint32_t position;
  ThreadId created;
  ThreadId creator;
  ProcessId process;
  uint16_t forgotten;  // it has ended already, and nobody may wait for it (a spawn that failed)
};
static_assert(is_laid_out<LoggedCreation, 12>);

// Where a thread stands at the end, beside World::threads.
struct ThreadPlace {
  uint64_t pc;
  uint64_t start_routine;
  uint32_t frame_begin;
  uint16_t frame_count;
  uint8_t starting;  // runs up to its first visible operation, then its creator goes on
  uint8_t padding;
  uint32_t text;
  char name[16];  // pthread_setname_np
  uint32_t more_padding;
};
static_assert(is_laid_out<ThreadPlace, 48>);

// A thread as it is when the execution ends.
struct LoggedThread {
  ThreadId id;
  ProcessId process;
  ThreadStatus status;
  uint8_t killed;
  uint16_t frame_count;
  uint32_t frame_begin;
  uint32_t access_begin;  // that its pending operation may make
  uint32_t access_count;
  uint32_t padding;
  uint64_t pc;
  uint64_t start_routine;
  Operation pending;
  char name[16];
};
static_assert(is_laid_out<LoggedThread, 104>);

// Two accesses to the same bytes that nothing orders.
struct LoggedAccess {
  ThreadId thread;
  ProcessId process;
  uint8_t is_write;
  uint8_t is_atomic;
  uint8_t is_free;     // the block was freed
  uint8_t lock_count;  // with stacks only, as the next ones
  uint16_t frame_count;
  uint8_t is_in_call;  // Torn: it belongs to a call that is annotated as one operation
  uint8_t is_end;      // the thread ended whose stack it is
  uint32_t frame_begin;
  uint64_t pc;
  ObjectId locks[6];  // that the thread held
};
static_assert(is_laid_out<LoggedAccess, 48>);

struct LoggedRace {
  ConflictKind kind;
  OpKind op;  // InsideCall: what it does
  uint8_t padding[2];
  uint32_t position;  // transitions before it was seen
  uint32_t size;      // in bytes
  uint32_t more_padding;
  uint64_t address;
  ObjectPlace place;
  LoggedAccess first;
  LoggedAccess second;  // when it was seen
};
static_assert(is_laid_out<LoggedRace, 144>);

// With Discipline::Strict: several threads use these bytes, one of them to write, and these locks
// were held at every access, this one included. Logged when that begins, and whenever a lock drops
// out.
inline constexpr uint32_t kMostDisciplineLocks = 15;

struct LoggedGuard {
  uint32_t position;  // transitions before it was seen
  uint8_t bytes;      // of the word, as a mask
  uint8_t lock_count;
  uint16_t padding;
  uint32_t space;  // where the word is, as in ObjectName
  uint32_t more_padding;
  uint64_t offset;   // in that space
  uint64_t address;  // of the word, in the process of the access
  ObjectPlace place;
  LoggedAccess access;
  ObjectId locks[kMostDisciplineLocks];
  uint32_t last_padding;
};
static_assert(is_laid_out<LoggedGuard, 168>);

}  // namespace mazurka
