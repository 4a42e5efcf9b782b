// The state that the models work on: threads, processes and communication objects of one execution.
// The runtime keeps it in the shared segment, ScriptedProgram on the heap. Fixed layout, no
// pointers.
//
// Each model has its own file (mutex.h, condition.h, ...) with the three answers: enabled, apply,
// and (for the reductions) accesses. `enabled` and `apply` below dispatch to them.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "kinds/channels/channel.h"
#include "kinds/channels/description.h"
#include "kinds/channels/queue.h"
#include "kinds/channels/timer.h"
#include "kinds/files/file_lock.h"
#include "kinds/files/file_use.h"
#include "kinds/processes/generator.h"
#include "kinds/processes/named.h"
#include "kinds/processes/process.h"
#include "kinds/signals/signals.h"
#include "kinds/sockets/socket.h"
#include "kinds/sync/barrier.h"
#include "kinds/sync/condition.h"
#include "kinds/sync/futex.h"
#include "kinds/sync/mutex.h"
#include "kinds/sync/once.h"
#include "kinds/sync/rwlock.h"
#include "kinds/sync/sem_set.h"
#include "kinds/sync/semaphore.h"
#include "kinds/variable/variable.h"
#include "objects/object_kind.h"
#include "objects/operation.h"

namespace mazurka {

inline constexpr uint32_t kMaxThreads = 1024;
inline constexpr uint32_t kMaxObjects = 1u << 16;
inline constexpr uint32_t kMaxParts = 1u << 16;
inline constexpr uint32_t kMaxUndo = 1024;
inline constexpr uint32_t kMaxTouched = 1u << 12;

struct Object {
  ObjectKind kind = ObjectKind::None;
  bool destroyed = false;
  ProcessId process =
      kNoProcess;  // whose private memory it is in; kNoProcess if shared between processes
  uint32_t padding = 0;
  int64_t clock_ns = 0;  // Lamport: the latest time of an operation on it
  union {
    Mutex mutex;
    Condition condition;
    RwLock rwlock;
    Barrier barrier;
    Semaphore semaphore;
    SemSet sem_set;
    Named named;
    Once once;
    Futex futex;
    Variable variable;
    Channel channel;
    Description description;
    Queue queue;
    Timer timer;
    Address address;
    File file;
    FileName file_name;
    FileData file_data;
    Generator generator;
  };

  Object() : mutex() {}
};
static_assert(std::is_trivially_copyable_v<Object>);

enum class ThreadStatus : uint8_t {
  Absent,   // not created in this execution
  Running,  // between two visible operations; at most one thread at a time, but for those that it
            // is starting
  AtOperation,  // stands before `pending`
  AtExit,       // never enabled again
};

struct ThreadState {
  ThreadStatus status = ThreadStatus::Absent;
  bool detached = false;
  bool joined = false;  // its end has been seen by a join (or its process's end by a wait)
  bool woken = false;   // taken from the waiters of `waiting_on`
  bool killed = false;  // at exit, because its process ended while it stood before `pending`
  ThreadId creator = kNoThread;
  ProcessId process = kNoProcess;
  uint16_t repeated_waits = 0;      // for others, since its last other operation
  uint16_t robust_held = 0;         // robust mutexes that it owns
  ObjectId waiting_on = kNoObject;  // condition or futex whose waiter it is
  uint32_t transitions = 0;
  uint32_t children = 0;      // threads and processes that it has created
  uint32_t made = 0;          // pipes, sockets and their like that it has made
  uint32_t disabled_for = 0;  // successive global states without an enabled operation
  uint64_t waiting_since =
      0;  // World::moves when it last moved: joined the waiters, or began to yield
  int64_t clock_ns = 0;
  uint64_t blocked = 0;  // signals
  uint64_t restores =
      0;  // what it blocks again when the handler of the signal that it took last returns
  PendingSignal taken;
  Operation pending;
  Effect effect;
};

struct ProcessState {
  bool exists = false;
  bool ended = false;
  bool reaped = false;
  uint8_t padding = 0;
  ProcessId parent = kNoProcess;
  uint16_t live_threads = 0;
  int32_t wait_status = 0;  // as waitpid gives it
  uint32_t signal_table =
      0;  // in World::signal_tables; the first is everybody's who has set no action
};

// What SEM_UNDO owes at the end of a process.
struct SemUndo {
  ProcessId process = kNoProcess;
  uint16_t forgotten = 0;  // SETVAL or SETALL cancelled what it owed
  ObjectId semaphore = kNoObject;
  int32_t adjustment = 0;
};

struct World {
  uint64_t moves = 0;         // transitions so far
  uint64_t events = 0;        // of them, events
  uint32_t thread_limit = 0;  // every id in use is below it
  uint32_t object_limit = 0;
  uint32_t part_count = 0;
  uint32_t undo_count = 0;
  uint32_t message_limit = 0;  // every place in use is below it
  uint32_t last_message = 0;   // where the last one sent or received is, or was
  uint32_t file_lock_count = 0;
  uint32_t has_timers =
      0;  // what a program does may depend on the time: nothing commutes that shows it
  // Objects made or changed by invisible code, threads created, since the last transition: the log
  // takes them.
  uint32_t touched_count = 0;
  uint32_t created_count = 0;
  uint32_t signal_count = 0;
  uint32_t signal_table_count = 1;
  ObjectId touched[kMaxTouched];
  ThreadId created[kMaxThreads];
  ThreadState threads[kMaxThreads];
  ProcessState processes[kMaxThreads];
  SemUndo undo[kMaxUndo];
  Message messages[kMaxMessages];
  FileLock file_locks[kMaxFileLocks];         // sorted
  PendingSignal signals[kMaxPendingSignals];  // of each signal for the same thread or process, the
                                              // oldest first
  SignalTable signal_tables[kMaxSignalTables];
  OpPart parts[kMaxParts];
  Object objects[kMaxObjects];

  ThreadState& thread(ThreadId id) { return threads[index(id)]; }
  const ThreadState& thread(ThreadId id) const { return threads[index(id)]; }
  ProcessState& process(ProcessId id) { return processes[index(id)]; }
  const ProcessState& process(ProcessId id) const { return processes[index(id)]; }
  Object& object(ObjectId id) { return objects[index(id)]; }
  const Object& object(ObjectId id) const { return objects[index(id)]; }

  // Forgets everything. Cheap: clears what is below the limits; not the first so many threads and
  // objects, which the caller sets up anew.
  void clear(uint32_t overwritten_threads = 0, uint32_t overwritten_objects = 0);

  // The thread starts in status Running. Its creator's `children` is counted up here. A first
  // thread of a process makes the process, which has the descriptions of its creator's. Requires
  // that `id` is absent.
  void create_thread(ThreadId id, ThreadId creator, ProcessId process);
  Object& create_object(ObjectId id, ObjectKind kind, ProcessId process);

  // Invisible code changed the object. More than there is room for: `touched_count` stays at
  // kMaxTouched, and the log is no longer good for reductions.
  void touch(ObjectId id);

  // Every other thread that ever was has ended, and its end was seen by a join or wait: nothing can
  // interleave with `id` now, and nothing that the others did is unordered with what it does next.
  bool alone(ThreadId id) const;

  bool waits_on(ThreadId thread, ObjectId object) const {
    const ThreadState& t = threads[index(thread)];
    return t.waiting_on == object && !t.woken && t.status != ThreadStatus::AtExit;
  }
};
static_assert(std::is_trivially_copyable_v<World>);

// Which outcomes an operation may have now.
struct Outcomes {
  enum class Form : uint8_t {
    None,      // disabled
    Range,     // only..count-1
    Single,    // just `only`
    Waiters,   // the threads waiting on `object`
    Children,  // the ended children, not yet reaped, of `process`
  };
  Form form = Form::None;
  Outcome only = 0;
  uint32_t count = 0;
  ObjectId object = kNoObject;
  ProcessId process = kNoProcess;
  // Signals that may be taken instead: before the operation, within it.
  uint64_t first = 0;
  uint64_t then = 0;

  bool any() const { return form != Form::None || (first | then) != 0; }
  static Outcomes none() { return {}; }
  static Outcomes one(Outcome outcome = kOnlyOutcome) {
    return {Form::Single, outcome, 1, kNoObject, kNoProcess, 0, 0};
  }
  static Outcomes range(uint32_t n) { return from(0, n); }
  // begin..end-1. Requires begin < end.
  static Outcomes from(Outcome begin, uint32_t end) {
    return {Form::Range, begin, end, kNoObject, kNoProcess, 0, 0};
  }
  // Requires that there is at least one.
  static Outcomes waiters(ObjectId o) { return {Form::Waiters, 0, 0, o, kNoProcess, 0, 0}; }
  static Outcomes children(ProcessId p) { return {Form::Children, 0, 0, kNoObject, p, 0, 0}; }
};

// What the pending operation of `thread` may do now.
Outcomes enabled(const World& world, ThreadId thread, const Operation& op);

// Does the operation: changes objects, clocks and the waiting states of threads; moves the thread's
// status to Running (or to AtExit: ThreadExit, and the operations that end a process, which take
// all its threads along; a misuse is one of these). Counts the transition. Requires that `outcome`
// is enabled.
Effect apply(World& world, ThreadId thread, const Operation& op, Outcome outcome);

// Both at once, for replays: does the operation if the outcome is enabled. False: it is not, and
// nothing has happened.
bool apply_if_enabled(World& world, ThreadId thread, const Operation& op, Outcome outcome,
                      Effect& effect);

// Whether the thread's process has other threads whose end nobody has seen by a join. What they
// still do, or did, is not ordered with what the thread does: not even whether they have ended.
bool has_unseen_threads(const World& world, ThreadId thread);

// Whether anybody can notice the thread's end (or its process's end): then it is an operation first
// (ThreadExit, ProcessEnd). A first thread that leaves before others, and those that leave after
// it, are noticed: the last of them ends the process.
bool thread_exit_is_noticed(const World& world, ThreadId thread);
bool process_end_is_noticed(const World& world, ThreadId thread);
// The thread stands at exit without a transition. Its last thread's end ends the process with
// `wait_status`.
void stand_at_exit(World& world, ThreadId thread, int wait_status);

// A process that ended before anybody knew of it (a spawn that failed): nobody may wait for it.
inline void forget_child(World& world, ProcessId child) {
  world.process(child).reaped = true;
  world.thread(child).joined = true;
}

// A private object is copied by fork with its state: the copy belongs to `child`; where the forking
// thread owns it, the child's thread does.
void copy_for_fork(World& world, ObjectId from, ObjectId to, ThreadId forking, ThreadId child);

template <typename F>
bool each_delivery(Outcome first, uint64_t signals, F&& f) {
  for (; signals != 0; signals &= signals - 1) {
    const int signal = __builtin_ctzll(signals) + 1;
    if (!f(static_cast<Outcome>(first | signal))) return false;
  }
  return true;
}

template <typename F>
bool each_plain_outcome(const World& world, const Outcomes& outcomes, F&& f) {
  switch (outcomes.form) {
    case Outcomes::Form::None:
      return true;
    case Outcomes::Form::Single:
      return f(outcomes.only);
    case Outcomes::Form::Range:
      for (uint32_t i = outcomes.only; i < outcomes.count; ++i) {
        if (!f(static_cast<Outcome>(i))) return false;
      }
      return true;
    case Outcomes::Form::Waiters:
      for (uint32_t i = 0; i < world.thread_limit; ++i) {
        if (world.waits_on(ThreadId(i), outcomes.object) && !f(static_cast<Outcome>(i)))
          return false;
      }
      return true;
    case Outcomes::Form::Children:
      for (uint32_t i = 0; i < world.thread_limit; ++i) {
        const ProcessState& p = world.processes[i];
        if (p.exists && p.parent == outcomes.process && p.ended && !p.reaped &&
            !f(static_cast<Outcome>(i))) {
          return false;
        }
      }
      return true;
  }
  return true;
}

// Calls f(outcome) for each outcome, smallest first, until f returns false. Returns false if f did.
template <typename F>
bool each_outcome(const World& world, const Outcomes& outcomes, F&& f) {
  // At once, as in most steps: two fields compared as one word would wait for the stores of both.
  if ((outcomes.first | outcomes.then) == 0) return each_plain_outcome(world, outcomes, f);
  const bool nobody_last = outcomes.form == Outcomes::Form::Single && outcomes.only == kNobody;
  if (!nobody_last && !each_plain_outcome(world, outcomes, f)) return false;
  if (!each_delivery(kTakesFirst, outcomes.first, f) ||
      !each_delivery(kTakesThen, outcomes.then, f))
    return false;
  return !nobody_last || f(kNobody);
}

bool has_outcome(const World& world, const Outcomes& outcomes, Outcome outcome);

}  // namespace mazurka
