#include "kinds/sync/sync_words.h"

#include <fmt/format.h>

#include "kinds/sync/takings.h"
#include "objects/world.h"

namespace mazurka::sync_words {
namespace {

// Whoever has taken it could give it back.
Why taken(const Stuck& stuck, ObjectId semaphore, std::string text) {
  Why why{std::move(text), stuck.takings.takers(semaphore, stuck.thread), "; "};
  why.after_hopes = why.hopes.size() == 1 ? " has taken it" : " have taken it";
  return why;
}

// "s[0] +1, s[1] -1". `form` is of what stands behind the name.
template <typename Form>
std::string each_semaphore(const Parts& parts, const Namer& names, Form form) {
  std::string text;
  for (const OpPart& part : parts) {
    text += (text.empty() ? " " : ", ") + names.object(part.object) + form(part.sem.delta);
  }
  return text;
}

}  // namespace

// --- objects

std::string mutex_type(const Object& object) {
  if (object.mutex.type == MutexType::Spin) return "spin lock";
  if (object.mutex.type == MutexType::Recursive) return "recursive mutex";
  return object.mutex.robust ? "robust mutex" : "mutex";
}

std::string mutex_value(const World& world, ObjectId id, const Namer& names) {
  const Mutex& mutex = world.object(id).mutex;
  if (mutex.not_recoverable) return "not recoverable";
  if (!mutex.locked()) return mutex.owner_dead ? "free, its owner died" : "free";
  std::string text = "held by " + names.thread(mutex.owner);
  if (mutex.depth > 1) text += fmt::format(", {} times", mutex.depth);
  return mutex.inconsistent ? text + ", inconsistent" : text;
}

ThreadId mutex_owner(const Object& object) { return object.mutex.owner; }

void add_mutex_owner(const Object& object, std::vector<ThreadId>& out) {
  if (object.mutex.locked()) out.push_back(object.mutex.owner);
}

// Of a condition or a futex: who waits is written in the threads.
std::string sleepers(const World& world, ObjectId id, const Namer& names) {
  std::string text;
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    if (!world.waits_on(ThreadId(i), id)) continue;
    text += (text.empty() ? "waited for by " : ", ") + names.thread(ThreadId(i));
  }
  return text.empty() ? "nobody waits" : text;
}

std::string rwlock_value(const World& world, ObjectId id, const Namer& names) {
  const RwLock& lock = world.object(id).rwlock;
  if (lock.writer != kNoThread) return "written by " + names.thread(lock.writer);
  if (lock.holds == 0) return "free";
  std::string text = "read by ";
  for (uint32_t i = 0; i < lock.known_readers; ++i) {
    text += (i > 0 ? ", " : "") + names.thread(lock.readers[i].thread);
  }
  if (lock.unknown_holds > 0) text += fmt::format(" and {} more", lock.unknown_holds);
  return text;
}

ThreadId writer(const Object& object) { return object.rwlock.writer; }

void add_writer_and_readers(const Object& object, std::vector<ThreadId>& out) {
  const RwLock& lock = object.rwlock;
  if (lock.writer != kNoThread) out.push_back(lock.writer);
  for (uint32_t i = 0; i < lock.known_readers; ++i) out.push_back(lock.readers[i].thread);
}

std::string barrier_value(const World& world, ObjectId id, const Namer&) {
  const Barrier& barrier = world.object(id).barrier;
  return fmt::format("{} of {} have come", barrier.arrived, barrier.count);
}

std::string semaphore_value(const World& world, ObjectId id, const Namer&) {
  return fmt::format("{}", world.object(id).semaphore.value);
}

std::string sem_set_value(const World& world, ObjectId id, const Namer&) {
  return fmt::format("{} semaphores", world.object(id).sem_set.count);
}

// A set is its semaphores, which are shown by themselves.
bool is_whole_set(const Object& object) { return !object.destroyed; }

std::string once_value(const World& world, ObjectId id, const Namer& names) {
  const Once& once = world.object(id).once;
  switch (once.state) {
    case Once::State::Fresh:
      return "not begun";
    case Once::State::Running:
      return "begun by " + names.thread(once.runner);
    case Once::State::Done:
      return "done";
  }
  return "";
}

// What was done once stays so.
bool is_done(const Object& object) { return object.once.state == Once::State::Done; }

void add_runner(const Object& object, std::vector<ThreadId>& out) {
  if (object.once.state == Once::State::Running) out.push_back(object.once.runner);
}

// --- operations

// The second half of a wait: a thread that stands before it waits to be woken.
std::string wake_up(const Operation& op) { return with_flags(op, "wake up from"); }

std::string condition_and_mutex(const Operation& op, const Parts& parts, const Namer& names) {
  std::string text = target_and_object(op, parts, names);
  if (op.second != kNoObject) text += " with " + names.object(op.second);
  return text;
}

// Where the mutex is: until it is woken, the thread waits for somebody who wakes it.
std::vector<ThreadId> owner_once_woken(const World& world, ThreadId thread, const Operation& op) {
  return holders_of_object(world, world.thread(thread).woken ? op.second : kNoObject);
}

std::string woken_or_timed_out(const Operation&, Outcome outcome, const Namer&) {
  return outcome == 0 ? ": woken" : ": timed out";
}

Why until_all_came(const Stuck&) { return {"waits until all have come"}; }

Why semaphore_is_taken(const Stuck& stuck) {
  return taken(stuck, stuck.op.object, "its value is 0");
}

std::string added_to_semaphores(const Operation& op, const Parts& parts, const Namer& names) {
  if (parts.empty()) return target_and_object(op, parts, names);
  return each_semaphore(parts, names, [](int32_t delta) { return fmt::format(" {:+d}", delta); });
}

std::string set_semaphores(const Operation& op, const Parts& parts, const Namer& names) {
  if (parts.empty()) return target_and_object(op, parts, names);
  return each_semaphore(parts, names, [](int32_t value) { return fmt::format(" = {}", value); });
}

// The first one that is in the way.
Why semaphores_are_taken(const Stuck& stuck) {
  for (const OpPart& part : stuck.parts) {
    const int64_t value = stuck.world.object(part.object).semaphore.value;
    const bool is_in_the_way = part.sem.delta == 0 ? value != 0 : value + part.sem.delta < 0;
    if (!is_in_the_way) continue;
    std::string text = fmt::format("the value of {} is {}", stuck.names.object(part.object), value);
    return part.sem.delta < 0 ? taken(stuck, part.object, std::move(text)) : Why{std::move(text)};
  }
  return {"the semaphores' values are too small"};
}

std::string once_result(const Operation& op, const Effect& effect) {
  return effect.error != 0 ? "does it" : error_text(op, effect);
}

bool wakes_one(const Operation& op) { return op.value == 1; }

std::string wakes_one_thread(const Operation& op, Outcome outcome, const Namer& names) {
  return wakes_one(op) ? wakes_thread(op, outcome, names) : "";
}

}  // namespace mazurka::sync_words
