// One plan in, one execution out: the two values that the searches and a program exchange.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "execution/annotated.h"
#include "execution/memory_places.h"
#include "execution/modes.h"
#include "execution/rarities.h"
#include "objects/operation.h"
#include "objects/world.h"
#include "schedule/free_run.h"
#include "schedule/planned_step.h"

namespace mazurka {

// "races", "visible"
std::optional<MemoryMode> memory_mode_of(const std::string& name);
// "checked", "strict": how it is checked, if it is.
std::optional<Discipline> discipline_of(const std::string& name);
const char* name_of(Discipline discipline);

struct Limits {
  uint32_t depth = 10'000;  // transitions of an execution
  uint32_t bound = 0;       // transitions of a thread; 0: none
  uint32_t livelock = 0;    // successive global states; 0: off
  double divergence_s = 5;  // of invisible running
};

// Invisible operations go first (schedule/invisible_first.h), but for the releases of some locks.
struct TransitionRule {
  LockMarks visible_locks;
  // Transitions are composed (schedule/composed.h): what they do to these words is logged, and what
  // sleeps has its accesses in Plan::blocks.
  bool composed = false;
  uint64_t version = 0;  // another one for other words; not 0
  std::vector<MemoryWord> words;
};

struct Plan {
  std::vector<PlannedStep> prefix;
  // What follows the prefix (schedule/free_run.h).
  ThreadId forced = kNoThread;  // moves first, once, if it can
  std::vector<Choice> sleep;    // asleep at the prefix's end
  bool conditional = false;     // sleep as commute_here allows
  // What belongs to one transition; null: each operation is one by itself. Otherwise lists_enabled
  // is required: whoever must go first is listed alone.
  std::shared_ptr<const TransitionRule> rule;
  std::vector<PlanBlock> blocks;  // by `begin`; their accesses are places in `block_accesses`
  std::vector<Access> block_accesses;
  bool is_awake = false;      // nothing sleeps because of the blocks
  bool lists_enabled = true;  // the log says what was enabled before each step after the prefix
  Limits limits;
  bool stacks = false;       // log call stacks
  bool show_output = false;  // the program's own output goes through
  // After the prefix, choices are drawn by a policy (schedule/sampling.h) from this seed; 0:
  // nothing is drawn, and the policy is Stay or counts as First.
  uint64_t random = 0;
  Policy policy = Policy::Random;
  std::shared_ptr<const SamplingRule> sampling;  // what the policy goes by; null: nothing is known
  uint64_t watched = 0;  // with stacks: accesses to the word of memory there are logged with theirs
};

Policy policy_of(const Plan& plan);
// Requires that all of it fits (see can_carry).
void write_free_run(const Plan& plan, FreeRun& out);
bool can_carry(const Plan& plan);

// A call's place in the code, as the runtime saw it. Empty stack: only `pc` is known.
struct CodePlace {
  uint64_t pc = 0;              // return address of the call
  std::vector<uint64_t> stack;  // return addresses, innermost first; with Plan::stacks only
};

// What the invisible code after a transition did to the world: objects that it made or changed
// while nobody else could (their state then), and threads that it created.
struct ObjectSetting {
  ObjectId object = kNoObject;
  Object state;
};
struct ThreadCreation {
  ThreadId created = kNoThread;
  ThreadId creator = kNoThread;
  ProcessId process = kNoProcess;
  bool forgotten = false;  // it has ended already, and nobody may wait for it (a spawn that failed)
};
struct Invisible {
  std::vector<ObjectSetting> settings;
  std::vector<ThreadCreation> creations;
};

// What most transitions need comes first: the searches go through all of them, and the rest stays
// out of the caches.
struct Transition {
  Choice choice;
  ProcessId process = kNoProcess;
  bool accesses_everything = false;  // more accesses than fit: dependent with all
  bool is_hurried = false;  // with Plan::rule: invisible, so a part of the transition before it
  Operation op;
  Effect effect;
  std::vector<Access>
      accesses;  // with Write(Thread c) for the threads that its invisible code creates
  // There is nothing in `parts`, `after`, `place.stack`, `text`, `enabled` and `output`. Only said
  // by who reads a log: so it need not look at them again when the next log is read over it.
  bool has_no_more = false;
  CodePlace place;
  std::vector<OpPart> parts;  // of a Semop or Semctl
  Invisible after;
  std::string text;             // the assertion, what was misused
  std::vector<Choice> enabled;  // in the state before it; empty within the plan's prefix, or
                                // without Plan::lists_enabled
  std::string
      output;  // what the program wrote to descriptors 1 and 2 in it; with Plan::show_output only
};

struct ThreadAtEnd {
  ThreadId id = kNoThread;
  ThreadStatus status = ThreadStatus::Absent;
  bool killed = false;  // at exit, because its process ended while it stood before `pending`
  ProcessId process = kNoProcess;
  Operation pending;
  std::vector<OpPart> parts;
  std::vector<Access> possible_accesses;  // of the pending operation, whatever its result
  CodePlace place;
  uint64_t start_routine = 0;
  std::string name;  // pthread_setname_np

  // Whether it stands before `pending`, or did until its process ended.
  bool stands_before_operation() const { return status == ThreadStatus::AtOperation || killed; }
};

// A memory access of instrumented code.
struct MemoryAccess {
  ThreadId thread = kNoThread;
  ProcessId process = kNoProcess;
  bool is_write = false;
  bool is_atomic = false;
  bool is_free = false;  // the block was freed
  bool is_end = false;   // the thread ended whose stack it is
  bool is_in_call =
      false;  // ConflictKind::Torn: it belongs to a call that is annotated as one operation
  CodePlace place;
  std::vector<ObjectId> locks;  // that the thread held; with Plan::stacks only
};

// Two accesses to the same bytes that should not be as they are.
struct MemoryConflict {
  ConflictKind kind = ConflictKind::Race;
  OpKind op = OpKind::None;  // ConflictKind::InsideCall
  uint32_t position = 0;     // transitions before it was seen
  uint64_t address = 0;
  uint32_t size = 0;
  ObjectPlace where;
  MemoryAccess first;
  MemoryAccess second;  // when it was seen
};

// With Discipline::Strict: bytes of a word that several threads use, one of them to write. The
// locks were held at each of their accesses so far, the last of which is `access`. In one execution
// there may be several about the same bytes, with ever fewer locks.
struct GuardedMemory {
  uint32_t position = 0;  // transitions before it was seen
  uint32_t space = 0;     // where the word is (MemoryWord)
  uint64_t offset = 0;
  uint8_t bytes = 0;     // of the word, as a mask
  uint64_t address = 0;  // of the word
  ObjectPlace where;
  std::vector<ObjectId> locks;  // sorted; never empty
  MemoryAccess access;
};

// How an execution ended, seen from outside: what the runtime says, or what happened to it.
enum class End : uint8_t {
  Finished,
  Deadlock,
  Bounded,
  DepthReached,  // or another limit before: `text`
  Blocked,       // only sleeping transitions were enabled: no execution of its own
  Livelock,
  Nondeterminism,
  Divergence,      // invisible code ran for too long
  Hung,            // blocked in a call that no model covers
  Lost,            // a process died without a word (SIGKILL, raw exit)
  SegmentDamaged,  // the program wrote into the shared segment
  Trouble,         // the runtime could not go on: `text`
  Stopped,         // the search must stop (stop.h), and this was still going on
};

struct Execution {
  Invisible before;  // what was done before the first transition
  std::vector<Transition> transitions;
  End end = End::Finished;
  ThreadId culprit = kNoThread;  // Livelock, Divergence, Hung
  uint32_t position = 0;         // Nondeterminism: which step
  Operation got;                 // Nondeterminism: what came instead
  std::string text;
  std::vector<ThreadAtEnd> threads;
  std::vector<MemoryConflict> conflicts;
  std::vector<GuardedMemory> guarded;
  std::vector<MemoryWord>
      new_words;        // with composed transitions: several threads used them, which was not known
  int wait_status = 0;  // of the first process, if it ended
  bool first_process_ended = false;
  std::string output_before;  // as Transition::output, before the first transition
  // Of its transitions, and of what its threads stand before. More than there are do no harm: they
  // are looked for then.
  uint8_t rarities = kAnyRarity;
};

// Fills in which ones there are.
void note_rarities(Execution& execution);
// Whether a transition is a yield (or a sleep), or a thread stands before one.
bool waits_for_others(const Execution& execution);
// Whether some thread has let others go first, or is about to.
bool has_pauses(const Execution& execution);

// The transition's invisible code created threads: it writes their lives.
void add_creations(Transition& transition);
// A transition after which its thread, or one that it created, stands before a yield (or a sleep)
// begins a wait for whatever moves next: it writes that somebody moved, so that its order with all
// others counts.
void add_waits_for_moves(Execution& execution);
// Fills in what the pending operation may access. Requires that the thread stands before one.
void read_possible_accesses(const World& world, ThreadAtEnd& thread);

}  // namespace mazurka
