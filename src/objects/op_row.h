// A row of the table of operations (op_table.h): everything that is asked about a kind of
// operation, by the world, the searches, the runtime's vector clocks and the reports. The rows
// stand beside the models, in kinds/*/*_rows.h.
//
// A column that a row may leave out then has the answer that costs time, not bugs. The others have
// none: is_complete() says which, and op_table.h does not compile without them.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "objects/object_kind.h"
#include "objects/op_functions.h"
#include "objects/operation.h"
#include "objects/when.h"

namespace mazurka {

// What a signal does to an operation that waits.
enum class Interrupted : uint8_t {
  Undecided,
  No,                     // it goes on waiting
  Fails,                  // EINTR, whatever the handler was installed with
  Restarts,               // EINTR, unless the handler was installed with SA_RESTART
  RestartsUntimed,        // the same, but one with a timeout fails
  RestartsOnDescription,  // the same, and only where it goes through a description: those of System
                          // V fail
};

// What an operation that cannot happen waits for, as far as that is known.
enum class Awaits : uint8_t {
  Anything,
  End,           // of the thread `target`
  ChildEnd,      // of the process `target`, or of any child
  Mutex,         // that its owner gives it up
  WakeAndMutex,  // to be woken, and then the same, of `second`
  Wake,          // to be woken
  Once,          // that whoever is inside leaves
  Writer,        // of a reader-writer lock, to leave
  Holders,       // of one, readers too
};

// What somebody who waits may get by it.
enum class Releases : uint8_t { Nothing, Mutex, SecondMutex, RwLock, Once };

// An access that an operation of this kind has to its object in every state, unless it is a misuse.
enum class Sure : uint8_t { Nothing, Reads, Writes };

// Changes of what may disable it; never of what it may do once it is enabled.
enum class DisabledBy : uint8_t {
  Anything,
  Nothing,
  Object,
  Second,
  ObjectAndReaders,
  ObjectAndParts,
};

// What a successful one orders for data races (runtime/accesses/race_clocks.cc).
enum class Order : uint8_t {
  Undecided,
  Nothing,
  Acquire,  // what was released to the object comes before
  Release,  // what comes after whoever acquires from it
  Read,     // acquires; one that finds the end comes after all that the writers did
  Write,    // releases; one that finds nobody to read it comes after all that the readers did
  Poll,     // comes after what it tells of
  AcquireSecond,
  ReleaseSecond,
  Join,        // all that the thread did comes before
  Child,       // all that the process did
  RwLock,      // readers come after writers, writers after all
  Barrier,     // whoever leaves a round comes after all that arrived in it
  Semaphores,  // each of its parts: what adds releases, what takes away or waits acquires
  Variable,    // as its memory order says
  Name,        // who makes a thing sets it up for those who open it
  Connect,     // who accepts comes after the one who connected
  Close,       // of a channel's end, by a close: whoever finds that comes after it
  Shutdown,    // the same, where it is one
  ThreadEnd,   // gives up what the thread holds; the last one comes after all others
  ProcessEnd,  // gives up what the process holds, after all that its threads did
  Exec,        // all threads but one end
  Send,        // who takes the signal comes after it
  FileLock,
};

// Whether a lock may not have invisible releases because of it (schedule/invisible_first.h).
enum class LooksAtLock : uint8_t { Undecided, No, TryOrTimed, Yes };

// --- answers that many rows share

EnabledFunction always_enabled;
AccessFunction no_accesses;
MisuseFunction no_other_misuse;
MisuseAccessFunction misuse_seen_by_object;
MentionFunction mentions_nothing, mentions_write, mentions_read;

// The model's functions lie in the row's first cache line: they are asked for at each step.
struct alignas(64) OpRow {
  OpKind kind = OpKind::None;
  const char* name = nullptr;  // "condition wait": for reports and schedules

  // --- objects: what `object` and `second` must be, or it is a misuse; None: nobody asks
  ObjectKind object = ObjectKind::None;
  ObjectKind second = ObjectKind::None;
  bool may_be_removed = false;  // what was destroyed is an error that the call returns, no misuse

  // --- the model
  EnabledFunction* enabled = always_enabled;
  ApplyFunction* apply = nullptr;
  AccessFunction* accesses = nullptr;
  MisuseFunction* misuse = no_other_misuse;
  MisuseAccessFunction* misuse_accesses = misuse_seen_by_object;

  // --- what it may do, whatever the state
  When blocks;   // may be disabled
  When several;  // may have several outcomes
  Interrupted interrupted = Interrupted::Undecided;
  bool takes_signals = true;  // before it; not what has failed already
  bool destroys = false;      // its object: whoever uses that later misuses it
  bool ends_threads = false;  // of its process, all or all others
  bool fails = false;         // it is an error of the program by itself
  bool is_unseen = false;     // nobody else can tell that it was done
  bool (*brings_signals)(const Operation&) = nullptr;  // null: never

  // --- shortcuts of the searches
  Awaits awaits = Awaits::Anything;
  Releases releases = Releases::Nothing;
  LooksAtLock looks_at_lock = LooksAtLock::Undecided;
  MentionFunction* mentioned = nullptr;  // null: nothing can be told
  Sure sure = Sure::Nothing;
  DisabledBy disabled_by = DisabledBy::Anything;

  Order order = Order::Undecided;

  // Whether each question has an answer that no default could give.
  constexpr bool is_complete() const {
    const bool is_on_lock = is_lock(object) || is_lock(second);
    const bool may_wait = blocks.is_possible();
    return name != nullptr && apply != nullptr && accesses != nullptr &&
           order != Order::Undecided && (!may_wait || enabled != always_enabled) &&
           (!may_wait || interrupted != Interrupted::Undecided) &&
           (!is_on_lock || looks_at_lock != LooksAtLock::Undecided);
  }

 private:
  static constexpr bool is_lock(ObjectKind kind) {
    return kind == ObjectKind::Mutex || kind == ObjectKind::RwLock;
  }
};

// An operation seen by what it names alone, for OpRow::mentioned.
struct Mentioned {
  const Operation& op;
  const OpPart* parts;
  uint32_t part_count;
  ThreadId thread;
  ProcessId process;
};

}  // namespace mazurka
