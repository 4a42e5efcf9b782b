// What an operation reads, writes or merely adds to: the dependency relation of the searches, in
// one place.
//
// Two transitions are dependent if they belong to one thread, or if an access of the one conflicts
// with an access of the other. Independent ones neither enable nor disable each other, and they
// commute (objects/accesses_test.cc derives that by brute force). The relation is M7 of POPL'05's
// successors: see docs/dependency.md, which is checked against this.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "objects/world.h"

namespace mazurka {

enum class Mode : uint8_t {
  Read,   // commutes with Read
  Add,    // commutes with Add
  Write,  // commutes with nothing
};

constexpr bool conflict(Mode a, Mode b) { return a == Mode::Write || b == Mode::Write || a != b; }

// A part of the program's state on its own.
struct Resource {
  enum class Kind : uint8_t {
    Moves,    // that somebody moved at all: some wait for it
    Process,  // kLife: read by all that its threads do, written by its end; and other parts, below
    Thread,   // its life: added to by all that it does, written by its creation and a join, read by
              // a wait
    Wake,     // whether this waiter has been woken
    Object,   // a communication object, or with `part` one side of it
    Events,   // the order of all events: each writes it
    Memory,   // a piece of a word of plain memory that several threads use, with composed
              // transitions
  };
  Kind kind = Kind::Object;
  uint8_t part = 0;
  uint16_t padding = 0;
  uint32_t index = 0;

  // All of it at once: resources are compared more often than anything else is done.
  friend constexpr bool operator==(const Resource& a, const Resource& b) {
    return __builtin_bit_cast(uint64_t, a) == __builtin_bit_cast(uint64_t, b);
  }
};
static_assert(sizeof(Resource) == sizeof(uint64_t));

// Put together in a register: what is stored in parts and then compared as a whole would have to
// arrive in memory first.
constexpr Resource make_resource(Resource::Kind kind, uint8_t part, uint32_t index) {
  return __builtin_bit_cast(Resource, static_cast<uint64_t>(kind) |
                                          static_cast<uint64_t>(part) << 8 |
                                          static_cast<uint64_t>(index) << 32);
}
static_assert(make_resource(Resource::Kind::Object, 3, 7) ==
              Resource{Resource::Kind::Object, 3, 0, 7});

// Parts of a process. SEM_UNDO writes its life, too: it changes what the end of each of its threads
// does.
inline constexpr uint8_t kLife = 0;
// Which child processes it has: waits for any child read it.
inline constexpr uint8_t kChildren = 1;
inline constexpr uint8_t kReaped = 2;   // whether its own end has been waited for
inline constexpr uint8_t kExits = 3;    // who of its threads has left in view of others
inline constexpr uint8_t kNumbers = 4;  // which numbers its descriptors have
// Parts of an object.
inline constexpr uint8_t kWhole = 0;
inline constexpr uint8_t kReaders = 1;    // of a reader-writer lock: who reads
inline constexpr uint8_t kReadEnds = 2;   // of a channel: who could still read it
inline constexpr uint8_t kWriteEnds = 3;  // of a channel: who could still write it
// of a file: who locks it by flock exclusively (kWhole), who shares it (kReaders), and the same for
// records
inline constexpr uint8_t kRecords = 2;
inline constexpr uint8_t kRecordSharers = 3;
inline constexpr uint8_t kDirectoryEntries =
    1;                                    // of a name of files: which entries the directory has
inline constexpr uint8_t kLinkCount = 1;  // of the data of a file: how many names it has
inline constexpr uint8_t kOwnLocks = 1;   // of a description: what it has locked
inline constexpr uint8_t kHolds = 4;  // of a description: which process holds it; of a file: its
                                      // records of a process; this and the parts above

constexpr Resource moves_resource() { return make_resource(Resource::Kind::Moves, 0, 0); }
constexpr Resource events_resource() { return make_resource(Resource::Kind::Events, 0, 0); }
constexpr Resource process_resource(ProcessId id, uint8_t part) {
  return make_resource(Resource::Kind::Process, part, index(id));
}
constexpr Resource thread_resource(ThreadId id) {
  return make_resource(Resource::Kind::Thread, 0, index(id));
}
constexpr Resource wake_resource(ThreadId id) {
  return make_resource(Resource::Kind::Wake, 0, index(id));
}
constexpr Resource memory_resource(uint32_t word, uint8_t piece) {
  return make_resource(Resource::Kind::Memory, piece, word);
}
constexpr Resource object_resource(ObjectId id, uint8_t part = kWhole) {
  return make_resource(Resource::Kind::Object, part, index(id));
}

struct Access {
  Resource resource;
  Mode mode = Mode::Write;
  uint8_t padding[3] = {};
};
static_assert(sizeof(Access) == 12);

// Where accesses are written to: a caller's array. Too many: `overflow`, and the caller must treat
// the operation as dependent with everything.
struct AccessList {
  Access* items;
  uint32_t capacity;
  uint32_t count = 0;
  bool overflow = false;

  // Each resource is listed once: different modes together are Write.
  void add(Resource resource, Mode mode) {
    for (uint32_t i = 0; i < count; ++i) {
      if (items[i].resource != resource) continue;
      if (items[i].mode != mode) items[i].mode = Mode::Write;
      return;
    }
    add_new(resource, mode);
  }
  // Requires that the resource is not listed.
  void add_new(Resource resource, Mode mode) {
    if (count == capacity) {
      overflow = true;
    } else {
      items[count++] = {resource, mode, {}};
    }
  }
};

// What every transition accesses. Requires an empty list.
inline void add_common_accesses(const World& world, ThreadId thread, Mode moves, AccessList& out) {
  out.add_new(moves_resource(), moves);
  out.add_new(thread_resource(thread), Mode::Add);
  out.add_new(process_resource(world.thread(thread).process, kLife), Mode::Read);
}

// The accesses of this operation with this outcome in this state: before it is applied. Requires
// that it is enabled. What the invisible code after it creates (threads) is not in here: the one
// who knows adds creation_accesses.
void accesses(const World& before, ThreadId thread, const Operation& op, Outcome outcome,
              AccessList& out);

// For an operation that is only pending: its accesses here with any outcome, and what its other
// results (that of a try that succeeds, say) would do to its own objects. That it may become a
// misuse is not foreseen: what makes it one (a destroy, another join) is dependent with it already.
void possible_accesses(const World& world, ThreadId thread, const Operation& op, AccessList& out);

// What the creation of a thread (the first of a process, or a further one) adds to the transition
// in whose invisible code it happens. Requires that it exists in `after`. A fork copies the memory
// of its process, so it depends on all that the other threads of that process do.
void creation_accesses(const World& after, ThreadId created, AccessList& out);

bool conflict(const Access* a, uint32_t a_count, const Access* b, uint32_t b_count);

// Whether two operations, both enabled in this state, commute there although their accesses
// conflict (VeriSoft section 4, Stoller section 7): two waits on a semaphore of value 2. Only for
// what stays asleep in `sleep`, `persistent`, `dpor`. The virtual clocks may differ after: a
// program that decides by the time could tell the orders apart, so nothing does where there are
// timers.
bool commute_here(const World& world, ThreadId a, const Operation& a_op, Outcome a_outcome,
                  ThreadId b, const Operation& b_op, Outcome b_outcome);

}  // namespace mazurka
