#include "kinds/sync/sem_set.h"

#include <errno.h>

#include "objects/access_mask.h"
#include "objects/asked.h"
#include "objects/clock.h"
#include "objects/kind_row.h"
#include "objects/op_row.h"
#include "objects/state_sink.h"

namespace mazurka {
namespace {

const OpPart& part(const World& world, const Operation& op, uint32_t i) {
  return world.parts[op.part_begin + i];
}

// What the first `count` parts add to the semaphore.
int64_t sum_of_parts(const World& world, const Operation& op, uint32_t count, ObjectId semaphore) {
  int64_t sum = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (part(world, op, i).object == semaphore) sum += part(world, op, i).sem.delta;
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
    const OpPart& p = part(world, op, i);
    if (p.sem.undo && undo_entry(world, process, p.object) == nullptr) return false;
  }
  return true;
}

void see_parts(World& world, ThreadState& me, const Operation& op) {
  for (uint32_t i = 0; i < op.part_count; ++i) {
    // What only adds does not see: additions commute.
    if (op.kind == OpKind::Semop && part(world, op, i).sem.delta > 0) continue;
    see(me, world.object(part(world, op, i).object));
  }
}

void show_parts(World& world, const ThreadState& me, const Operation& op) {
  for (uint32_t i = 0; i < op.part_count; ++i) {
    // A wait for zero only reads.
    if (op.kind == OpKind::Semop && part(world, op, i).sem.delta == 0) continue;
    show(me, world.object(part(world, op, i).object));
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
    const OpPart& p = part(world, op, i);
    world.object(p.object).semaphore.value += p.sem.delta;
    if (p.sem.undo) undo_entry(world, me.process, p.object)->adjustment -= p.sem.delta;
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
    const int32_t value = part(world, op, i).sem.delta;
    if (value < 0 || value > kMaxSystemVValue) return {.error = ERANGE};
  }
  for (uint32_t i = 0; i < op.part_count; ++i) {
    const OpPart& p = part(world, op, i);
    world.object(p.object).semaphore.value = p.sem.delta;
    forget_undo(world, p.object);
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
    const OpPart& p = part(world, op, i);
    // An operation may name the same semaphore more than once.
    int64_t before = world.object(p.object).semaphore.value + sum_of_parts(world, op, i, p.object);
    if (first != nullptr) before += sum_of_parts(world, *first, first->part_count, p.object);
    const int64_t after = before + p.sem.delta;
    if ((p.sem.delta == 0 && before != 0) || after < 0) {
      return p.sem.no_wait || (op.flags & kNoWait) ? EAGAIN : kSemopBlocks;
    }
    if (after > kMaxSystemVValue) return ERANGE;
  }
  return 0;
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

namespace on_sem_set {
namespace {

// Every operation looks at the set first. Nothing: it is there.
Effect look_at_set(World& world, ThreadId thread, const Operation& op) {
  const Object& object = world.object(op.object);
  see(world.thread(thread), object);
  return {.error = object.destroyed ? error_after_removal(world, op) : 0};
}

}  // namespace

Outcomes semop_enabled(const World& world, ThreadId, const Operation& op) {
  if ((op.flags & kTimed) || world.object(op.object).destroyed) return Outcomes::one();
  return semop_result(world, op) == kSemopBlocks ? Outcomes::none() : Outcomes::one();
}

Effect semop(World& world, ThreadId thread, const Operation& op, Outcome) {
  const Effect looked = look_at_set(world, thread, op);
  return looked.error != 0 ? looked : apply_semop(world, thread, op);
}

Effect set(World& world, ThreadId thread, const Operation& op, Outcome) {
  const Effect looked = look_at_set(world, thread, op);
  return looked.error != 0 ? looked : apply_set(world, thread, op);
}

Effect get(World& world, ThreadId thread, const Operation& op, Outcome) {
  const Effect looked = look_at_set(world, thread, op);
  if (looked.error != 0) return looked;
  see_parts(world, world.thread(thread), op);
  if (op.part_count == 0) return {};
  return {.value = world.object(part(world, op, 0).object).semaphore.value};
}

Effect remove(World& world, ThreadId thread, const Operation& op, Outcome) {
  const Effect looked = look_at_set(world, thread, op);
  if (looked.error != 0) return looked;
  ThreadState& me = world.thread(thread);
  Object& object = world.object(op.object);
  object.destroyed = true;
  show(me, object);
  if (op.second != kNoObject) free_key(me, world.object(op.second));
  return {};
}

// --- accesses

namespace {

bool is_removed(const Asked& asked) { return asked.world.object(asked.op.object).destroyed; }

void touch_parts(const Asked& asked, Mode mode, AccessList& out) {
  for (uint32_t i = 0; i < asked.op.part_count; ++i)
    out.add(object_resource(asked.part(i).object), mode);
}

// All parts of a semop that name one semaphore.
struct Together {
  bool only_add = true;
  bool only_wait_for_zero = true;
  int64_t sum = 0;
};

Together parts_on(const Asked& asked, ObjectId semaphore) {
  Together together;
  for (uint32_t i = 0; i < asked.op.part_count; ++i) {
    const OpPart& p = asked.part(i);
    if (p.object != semaphore) continue;
    together.only_add = together.only_add && p.sem.delta > 0;
    together.only_wait_for_zero = together.only_wait_for_zero && p.sem.delta == 0;
    together.sum += p.sem.delta;
  }
  return together;
}

Mode successful_mode(const Asked& asked, ObjectId semaphore) {
  const Together together = parts_on(asked, semaphore);
  if (together.only_wait_for_zero) return Mode::Read;
  if (!together.only_add) return Mode::Write;
  // Two that each stay in the lower half stay below the limit together.
  const int64_t value = asked.world.object(semaphore).semaphore.value;
  return value + together.sum <= kMaxSystemVValue / 2 ? Mode::Add : Mode::Write;
}

bool values_are_valid(const Asked& asked) {
  for (uint32_t i = 0; i < asked.op.part_count; ++i) {
    if (asked.part(i).sem.delta < 0 || asked.part(i).sem.delta > kMaxSystemVValue) return false;
  }
  return true;
}

}  // namespace

void semop_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), Mode::Read);
  // The error of one on a removed set tells whether it would have had to wait.
  if (is_removed(asked)) return touch_parts(asked, Mode::Read, out);
  const int result = semop_result(asked.world, asked.op);
  const bool succeeds = asked.possible || result == 0;
  bool undo = false;
  for (uint32_t i = 0; i < asked.op.part_count; ++i) {
    const ObjectId semaphore = asked.part(i).object;
    undo = undo || asked.part(i).sem.undo;
    if (succeeds) out.add(object_resource(semaphore), successful_mode(asked, semaphore));
    const bool looks = result == ERANGE || !parts_on(asked, semaphore).only_add;
    if (!succeeds && looks) out.add(object_resource(semaphore), Mode::Read);
  }
  if (succeeds && undo) out.add(process_resource(asked.process(), kLife), Mode::Write);
}

void set_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), Mode::Read);
  if (is_removed(asked)) return;
  touch_parts(asked, values_are_valid(asked) ? Mode::Write : Mode::Read, out);
}

void get_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), Mode::Read);
  if (!is_removed(asked)) touch_parts(asked, Mode::Read, out);
}

void remove_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), is_removed(asked) ? Mode::Read : Mode::Write);
  if (!is_removed(asked) && asked.op.second != kNoObject)
    out.add(object_resource(asked.op.second), Mode::Write);
}

bool semop_mentions(const Mentioned& mentioned, AccessMask& mask) {
  mask.add(object_resource(mentioned.op.object), Mode::Read);
  for (uint32_t i = 0; i < mentioned.part_count; ++i) {
    mask.add(object_resource(mentioned.parts[i].object), Mode::Write);
    if (mentioned.parts[i].sem.undo != 0)
      mask.add(process_resource(mentioned.process, kLife), Mode::Write);
  }
  return true;
}

bool semops_commute(const World& world, const Party& x, const Party& y) {
  const int x_now = semop_result(world, x.op);
  const int y_now = semop_result(world, y.op);
  const int x_after = y_now == 0 ? semop_result(world, x.op, &y.op) : x_now;
  const int y_after = x_now == 0 ? semop_result(world, y.op, &x.op) : y_now;
  return x_now == x_after && y_now == y_after;
}

void state(const World& world, ObjectId id, StateSink& sink) {
  sink.add({world.object(id).sem_set.count});
}

}  // namespace on_sem_set

// What a SETVAL has cancelled counts like what is still owed: otherwise the accesses would depend
// on it.
void pays_undo(const World& world, ProcessId process, AccessList& out) {
  for (uint32_t i = 0; i < world.undo_count; ++i) {
    const SemUndo& undo = world.undo[i];
    if (undo.process != process || (undo.adjustment == 0 && !undo.forgotten)) continue;
    out.add(object_resource(undo.semaphore), Mode::Write);
  }
}

}  // namespace mazurka
