#include "kinds/sync/sem_set.h"

#include <errno.h>

#include "objects/clock.h"

namespace mazurka {
namespace {

const SemPart& part(const World& world, const Operation& op, uint32_t i) {
  return world.parts[op.part_begin + i];
}

// What the first `count` parts add to the semaphore.
int64_t sum_of_parts(const World& world, const Operation& op, uint32_t count, ObjectId semaphore) {
  int64_t sum = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (part(world, op, i).semaphore == semaphore) sum += part(world, op, i).delta;
  }
  return sum;
}

SemUndo* undo_entry(World& world, ProcessId process, ObjectId semaphore) {
  for (uint32_t i = 0; i < world.undo_count; ++i) {
    SemUndo& undo = world.undo[i];
    if (undo.process == process && undo.semaphore == semaphore) return &undo;
  }
  if (world.undo_count == kMaxUndo) return nullptr;
  world.undo[world.undo_count] = {.process = process, .semaphore = semaphore};
  return &world.undo[world.undo_count++];
}

// Entries come before the change, so that a full table changes nothing.
bool make_undo_entries(World& world, ProcessId process, const Operation& op) {
  for (uint32_t i = 0; i < op.part_count; ++i) {
    const SemPart& p = part(world, op, i);
    if (p.undo && undo_entry(world, process, p.semaphore) == nullptr) return false;
  }
  return true;
}

void see_parts(World& world, ThreadState& me, const Operation& op) {
  for (uint32_t i = 0; i < op.part_count; ++i) {
    // What only adds does not see: additions commute.
    if (op.kind == OpKind::Semop && part(world, op, i).delta > 0) continue;
    see(me, world.object(part(world, op, i).semaphore));
  }
}

void show_parts(World& world, const ThreadState& me, const Operation& op) {
  for (uint32_t i = 0; i < op.part_count; ++i) {
    // A wait for zero only reads.
    if (op.kind == OpKind::Semop && part(world, op, i).delta == 0) continue;
    show(me, world.object(part(world, op, i).semaphore));
  }
}

Effect apply_semop(World& world, ThreadId thread, const Operation& op) {
  ThreadState& me = world.thread(thread);
  see_parts(world, me, op);
  const int error = semop_result(world, op);
  if (error == kSemopBlocks) {
    jump_to(me, op.deadline_ns);
    return {.error = EAGAIN};
  }
  if (error != 0) return {.error = error};
  if (!make_undo_entries(world, me.process, op)) return {.error = ENOSPC};
  for (uint32_t i = 0; i < op.part_count; ++i) {
    const SemPart& p = part(world, op, i);
    world.object(p.semaphore).semaphore.value += p.delta;
    if (p.undo) undo_entry(world, me.process, p.semaphore)->adjustment -= p.delta;
  }
  show_parts(world, me, op);
  return {};
}

// An entry that owed something stays and says so: whether the end of its process is an operation
// must not depend on a set that is not ordered with that process.
void forget_undo(World& world, ObjectId semaphore) {
  for (uint32_t i = 0; i < world.undo_count; ++i) {
    SemUndo& undo = world.undo[i];
    if (undo.semaphore != semaphore || undo.adjustment == 0) continue;
    undo.adjustment = 0;
    undo.forgotten = 1;
  }
}

Effect apply_set(World& world, ThreadId thread, const Operation& op) {
  ThreadState& me = world.thread(thread);
  see_parts(world, me, op);
  for (uint32_t i = 0; i < op.part_count; ++i) {
    const int32_t value = part(world, op, i).delta;
    if (value < 0 || value > kMaxSystemVValue) return {.error = ERANGE};
  }
  for (uint32_t i = 0; i < op.part_count; ++i) {
    const SemPart& p = part(world, op, i);
    world.object(p.semaphore).semaphore.value = p.delta;
    forget_undo(world, p.semaphore);
  }
  show_parts(world, me, op);
  return {};
}

// A thread that waited when the set went is told so; any other knows no such set. Whether a thread
// that would have to wait had called already is not decided, so it counts as waiting.
int error_after_removal(const World& world, const Operation& op) {
  return op.kind == OpKind::Semop && semop_result(world, op) == kSemopBlocks ? EIDRM : EINVAL;
}

void free_key(ThreadState& me, Object& name) {
  see_and_show(me, name);
  name.named.exists = false;
}

}  // namespace

int semop_result(const World& world, const Operation& op, const Operation* first) {
  for (uint32_t i = 0; i < op.part_count; ++i) {
    const SemPart& p = part(world, op, i);
    // An operation may name the same semaphore more than once.
    int64_t before =
        world.object(p.semaphore).semaphore.value + sum_of_parts(world, op, i, p.semaphore);
    if (first != nullptr) before += sum_of_parts(world, *first, first->part_count, p.semaphore);
    const int64_t after = before + p.delta;
    if ((p.delta == 0 && before != 0) || after < 0) {
      return p.no_wait || (op.flags & kNoWait) ? EAGAIN : kSemopBlocks;
    }
    if (after > kMaxSystemVValue) return ERANGE;
  }
  return 0;
}

Outcomes sem_set_enabled(const World& world, ThreadId, const Operation& op) {
  if (op.kind != OpKind::Semop || (op.flags & kTimed) || world.object(op.object).destroyed)
    return Outcomes::one();
  return semop_result(world, op) == kSemopBlocks ? Outcomes::none() : Outcomes::one();
}

Effect sem_set_apply(World& world, ThreadId thread, const Operation& op) {
  ThreadState& me = world.thread(thread);
  Object& set = world.object(op.object);
  see(me, set);
  if (set.destroyed) return {.error = error_after_removal(world, op)};
  switch (op.kind) {
    case OpKind::Semop:
      return apply_semop(world, thread, op);
    case OpKind::SemctlSet:
      return apply_set(world, thread, op);
    case OpKind::SemctlGet:
      see_parts(world, me, op);
      if (op.part_count == 0) return {};
      return {.value = world.object(part(world, op, 0).semaphore).semaphore.value};
    default:
      set.destroyed = true;
      show(me, set);
      if (op.second != kNoObject) free_key(me, world.object(op.second));
      return {};
  }
}

bool owes_undo(const World& world, ProcessId process) {
  for (uint32_t i = 0; i < world.undo_count; ++i) {
    const SemUndo& undo = world.undo[i];
    if (undo.process == process && (undo.adjustment != 0 || undo.forgotten)) return true;
  }
  return false;
}

void pay_undo(World& world, ProcessId process) {
  for (uint32_t i = 0; i < world.undo_count; ++i) {
    SemUndo& undo = world.undo[i];
    if (undo.process != process) continue;
    int32_t& value = world.object(undo.semaphore).semaphore.value;
    value += undo.adjustment;
    if (value < 0) value = 0;
    if (value > kMaxSystemVValue) value = kMaxSystemVValue;
    undo = {};
  }
}

}  // namespace mazurka
