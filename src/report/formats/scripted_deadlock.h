// For the tests of the reports: two threads that take two mutexes in opposite order, and what the
// search finds.
#pragma once

#include "explore/classic/plain_search.h"
#include "testing/scripts/scripted_program.h"

namespace mazurka {

inline Script opposite_locks() {
  Script script;
  const ObjectId a = script.add({.kind = ObjectKind::Mutex});
  const ObjectId b = script.add({.kind = ObjectKind::Mutex});
  const auto lock = [](ObjectId m) { return operate({.kind = OpKind::MutexLock, .object = m}); };
  const auto unlock = [](ObjectId m) {
    return operate({.kind = OpKind::MutexUnlock, .object = m});
  };
  script.bodies.push_back({spawn(1), spawn(2), join_child(1), join_child(2)});
  script.bodies.push_back({lock(a), lock(b), unlock(b), unlock(a)});
  script.bodies.push_back({lock(b), lock(a), unlock(a), unlock(b)});
  return script;
}

inline Verdict search_all(Program& program) {
  SearchOptions options;
  options.keep_going = true;
  return plain_search(program, options);
}

}  // namespace mazurka
