// What an operation reads, writes or merely adds to: the dependency relation of the searches, in one place.
//
// Two transitions are dependent if they belong to one thread, or if an access of the one conflicts with an access of the
// other. Independent ones neither enable nor disable each other, and they commute (objects/accesses_test.cc derives that
// by brute force). The relation is M7 of POPL'05's successors: see docs/dependency.md, which is checked against this.
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
    Moves,    // that somebody moved at all: yields wait for it
    Process,  // that it lives: read by all that its threads do, written by its end
    Thread,   // its life: added to by all that it does, written by its creation, read by a join
    Wake,     // whether this waiter has been woken
    Object,   // a communication object, or with `part` one side of it
  };
  Kind kind = Kind::Object;
  uint8_t part = 0;
  uint16_t padding = 0;
  uint32_t index = 0;

  friend constexpr bool operator==(const Resource&, const Resource&) = default;
};

struct Access {
  Resource resource;
  Mode mode = Mode::Write;
  uint8_t padding[3] = {};
};
static_assert(sizeof(Access) == 12);

// Where accesses are written to: a caller's array. Too many: `overflow`, and the caller must treat the operation as
// dependent with everything.
struct AccessList {
  Access* items;
  uint32_t capacity;
  uint32_t count = 0;
  bool overflow = false;

  void add(Resource resource, Mode mode);
};

// The accesses of this operation with this outcome in this state: before it is applied. Requires that it is enabled. What
// the invisible code after it creates (threads) is not in here: the one who knows adds Write(Thread c).
void accesses(const World& before, ThreadId thread, const Operation& op, Outcome outcome, AccessList& out);

// The accesses that it may have in any state and with any outcome: for an operation that is only pending.
void possible_accesses(const World& world, ThreadId thread, const Operation& op, AccessList& out);

bool conflict(const Access* a, uint32_t a_count, const Access* b, uint32_t b_count);

// Whether two operations, both enabled in this state, commute there although their accesses conflict (VeriSoft section 4,
// Stoller section 7): two waits on a semaphore of value 2. Only for what stays asleep in `sleep`, `persistent`, `dpor`.
bool commute_here(const World& world, ThreadId a, const Operation& a_op, Outcome a_outcome, ThreadId b,
                  const Operation& b_op, Outcome b_outcome);

}  // namespace mazurka
