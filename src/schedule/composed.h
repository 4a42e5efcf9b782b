// One transition of Stoller's C(S) (SPIN'00, section 5): a visible operation and all invisible ones
// after it, as one. What it depends on is what all of them access together. A transition that takes
// a mutex and gives it back does not change it: it only reads whether the mutex is free. So two of
// them commute as far as the mutex goes; but with one that takes it and keeps it, or that gives it
// back, neither does (his condition (4) needs both sides to be acquire and release).
#pragma once

#include <cstdint>

#include "objects/accesses.h"
#include "objects/operation.h"

namespace mazurka {

inline constexpr uint32_t kMaxComposedAccesses = 512;

struct ComposedTransition {
  ObjectId lock = kNoObject;  // the mutex that its first operation takes
  uint32_t depth = 0;         // how often it has that
  bool overflow = false;      // more accesses than fit: dependent with all
  uint8_t padding[3] = {};
  uint32_t count = 0;
  Access accesses[kMaxComposedAccesses];

  // `takes`: the operation locks its mutex, which was free.
  void begin(const Operation& op, bool takes) {
    lock = takes ? op.object : kNoObject;
    depth = takes ? 1 : 0;
    overflow = false;
    count = 0;
  }
  // An operation after the first: they all succeed.
  void note(const Operation& op) {
    if (op.object != lock) return;
    if (op.kind == OpKind::MutexLock) ++depth;
    if (op.kind == OpKind::MutexUnlock && depth > 0) --depth;
  }
  void add(Resource resource, Mode mode) {
    AccessList list{accesses, kMaxComposedAccesses, count, overflow};
    list.add(resource, mode);
    count = list.count;
    overflow = list.overflow;
  }
  // After its last operation.
  void end() {
    if (lock == kNoObject || depth != 0) return;
    for (uint32_t i = 0; i < count; ++i) {
      if (accesses[i].resource == object_resource(lock)) accesses[i].mode = Mode::Read;
    }
  }
};

}  // namespace mazurka
