// What programs do most: operations on variables, joins of threads that have ended, locks that are
// free. What is enabled, what it accesses and what it does is as the models say (frequent_test
// holds it against them), without a way through all of them: the runtime asks for each step of each
// execution.
#pragma once

#include <cstdint>

#include "objects/accesses.h"
#include "objects/clock.h"
#include "objects/world.h"

namespace mazurka {

enum class Frequent : uint8_t { No, Variable, Join, Mutex };

// Not No: the operation is enabled with its only outcome, and no misuse. For Join and Mutex it also
// succeeds.
inline Frequent frequent_step(const World& world, ThreadId thread, const Operation& op) {
  if (world.signal_count != 0) return Frequent::No;
  const auto is_usable = [&](ObjectKind kind) {
    return op.object != kNoObject && world.object(op.object).kind == kind &&
           !world.object(op.object).destroyed;
  };
  switch (op.kind) {
    case OpKind::VarLoad:
    case OpKind::VarStore:
    case OpKind::VarUpdate:
    case OpKind::VarCompareExchange:
      if (op.part_count != 0 || (op.flags & kSpinning) != 0) return Frequent::No;
      return is_usable(ObjectKind::Variable) ? Frequent::Variable : Frequent::No;
    case OpKind::Join: {
      if (index(op.target) >= world.thread_limit || op.target == thread) return Frequent::No;
      const ThreadState& target = world.thread(op.target);
      const bool joins =
          target.status == ThreadStatus::AtExit && !target.joined && !target.detached;
      return joins ? Frequent::Join : Frequent::No;
    }
    case OpKind::MutexLock:
    case OpKind::MutexUnlock: {
      if (!is_usable(ObjectKind::Mutex)) return Frequent::No;
      const Mutex& mutex = world.object(op.object).mutex;
      const ThreadId wanted = op.kind == OpKind::MutexLock ? kNoThread : thread;
      return mutex.owner == wanted && !mutex.robust ? Frequent::Mutex : Frequent::No;
    }
    default:
      return Frequent::No;
  }
}

// Requires an empty list with room for four.
inline void frequent_accesses(const World& world, Frequent frequent, ThreadId thread,
                              const Operation& op, AccessList& out) {
  Mode mode = Mode::Write;
  if (frequent == Frequent::Variable && !world.object(op.object).variable.is_written_by(op))
    mode = Mode::Read;
  const Resource resource =
      frequent == Frequent::Join ? thread_resource(op.target) : object_resource(op.object);
  out.items[0] = {moves_resource(), Mode::Add, {}};
  out.items[1] = {thread_resource(thread), Mode::Add, {}};
  out.items[2] = {process_resource(world.thread(thread).process, kLife), Mode::Read, {}};
  out.items[3] = {resource, mode, {}};
  out.count = 4;
}

inline Effect frequent_apply(World& world, Frequent frequent, ThreadId thread,
                             const Operation& op) {
  ThreadState& me = world.thread(thread);
  begin_transition(world, me);
  switch (frequent) {
    case Frequent::Join:
      see(me, world.thread(op.target).clock_ns);
      world.thread(op.target).joined = true;
      return {.thread = op.target};
    case Frequent::Mutex:
      return op.kind == OpKind::MutexLock ? on_mutex::lock(world, thread, op, kOnlyOutcome)
                                          : on_mutex::unlock(world, thread, op, kOnlyOutcome);
    default: {
      Object& object = world.object(op.object);
      const bool writes = object.variable.is_written_by(op);
      see(me, object);
      if (writes) show(me, object);
      return object.variable.apply(op);
    }
  }
}

}  // namespace mazurka
