#include "program/known_scripts.h"

#include <utility>

namespace mazurka {
namespace {

Instruction on(OpKind kind, ObjectId object) { return operate({.kind = kind, .object = object}); }

// A main thread that spawns one thread for each of the bodies, and joins them.
void spawn_and_join(Script& script, std::vector<Body> bodies) {
  script.bodies.resize(1);
  Body& main = script.bodies[0];
  const auto count = static_cast<uint32_t>(bodies.size());
  for (uint32_t i = 1; i <= count; ++i) main.push_back(spawn(i));
  for (uint32_t i = 1; i <= count; ++i) main.push_back(join_child(i));
  for (Body& body : bodies) script.bodies.push_back(std::move(body));
}

Script mutex_philosophers(uint32_t count, bool ordered) {
  Script script;
  std::vector<ObjectId> forks;
  for (uint32_t i = 0; i < count; ++i) forks.push_back(script.add({.kind = ObjectKind::Mutex}));
  std::vector<Body> dine;
  for (uint32_t i = 0; i < count; ++i) {
    ObjectId first = forks[i];
    ObjectId second = forks[(i + 1) % count];
    if (ordered && i + 1 == count) std::swap(first, second);
    dine.push_back({on(OpKind::MutexLock, first), on(OpKind::MutexLock, second),
                    on(OpKind::MutexUnlock, first), on(OpKind::MutexUnlock, second)});
  }
  spawn_and_join(script, std::move(dine));
  return script;
}

}  // namespace

Script thread_philosophers(uint32_t count) { return mutex_philosophers(count, false); }
Script ordered_philosophers(uint32_t count) { return mutex_philosophers(count, true); }

Script process_philosophers(uint32_t count) {
  Script script;
  const ObjectId set = script.add({.kind = ObjectKind::SemSet});
  std::vector<ObjectId> forks;
  for (uint32_t i = 0; i < count; ++i) {
    forks.push_back(script.add({.kind = ObjectKind::Semaphore, .value = 1}));
  }
  const auto change = [&](uint32_t fork, int by) {
    const auto number = static_cast<uint16_t>(fork % count);
    const SemPart part = {forks[number], by, 0, 0, number};
    return operate(script.with_parts({.kind = OpKind::Semop, .object = set}, {part}));
  };
  std::vector<Body> dine;
  for (uint32_t i = 0; i < count; ++i) {
    dine.push_back({change(i, -1), change(i + 1, -1), change(i, +1), change(i + 1, +1)});
  }
  script.bodies.resize(1);
  for (uint32_t i = 0; i + 1 < count; ++i) {
    script.bodies[0].push_back(fork_process(i + 1));
    script.bodies.push_back(dine[i]);
  }
  script.bodies[0].insert(script.bodies[0].end(), dine.back().begin(), dine.back().end());
  return script;
}

Script lock_counter(uint32_t threads, uint32_t rounds) {
  Script script;
  const ObjectId mutex = script.add({.kind = ObjectKind::Mutex});
  Body body;
  for (uint32_t i = 0; i < rounds; ++i) {
    body.push_back(on(OpKind::MutexLock, mutex));
    body.push_back(on(OpKind::MutexUnlock, mutex));
  }
  spawn_and_join(script, std::vector<Body>(threads, body));
  return script;
}

}  // namespace mazurka
