// Which operations others cannot tell from invisible code (Stoller, SPIN'00, sections 2.1 and 4):
// the release of a lock by its owner, because nobody can look at a lock without holding it; and
// locking once more what the thread owns. The thread that stands before one may go first: that
// alone is a persistent set (his theorem 2).
//
// It does not hold for locks that somebody looks at otherwise: by a try or a timed form, or by
// destroying them. Those are marked: the searches learn them (explore/engine/transition_rules.h). A
// robust mutex tells who comes next about its last owner, so it counts as marked.
#pragma once

#include <cstdint>

#include "objects/world.h"

namespace mazurka {

// Locks, by object.
struct LockMarks {
  uint64_t words[kMaxObjects / 64] = {};

  void add(ObjectId id) { words[index(id) / 64] |= uint64_t{1} << (index(id) % 64); }
  bool has(ObjectId id) const { return (words[index(id) / 64] >> (index(id) % 64) & 1) != 0; }
};

// Whether the operation looks at a lock, or changes it, in a way that shows whether another thread
// holds it.
bool looks_at_lock(const Operation& op);

// Whether the operation that the thread stands before is such a one. Requires that it stands before
// one.
bool is_invisible(const World& world, const LockMarks& visible, ThreadId thread);

// The first thread that stands before one and can go on; kNoThread: none. `bound` as in choices.h.
ThreadId first_invisible(const World& world, const LockMarks& visible, uint32_t bound);

}  // namespace mazurka
