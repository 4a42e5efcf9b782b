#include "objects/world.h"

#include <signal.h>

#include <cstring>
#include <new>

#include "base/check.h"
#include "objects/clock.h"
#include "objects/kind_table.h"
#include "objects/misuse.h"
#include "objects/op_table.h"
#include "objects/state_sink.h"

namespace mazurka {

namespace {

// Copied from memory: put together on the stack first, its parts would have to arrive there before
// it could be read as a whole.
constinit const ThreadState kAbsentThread;

}  // namespace

void World::clear(uint32_t overwritten_threads, uint32_t overwritten_objects) {
  for (uint32_t i = overwritten_threads; i < thread_limit; ++i) threads[i] = kAbsentThread;
  for (uint32_t i = 0; i < thread_limit; ++i) processes[i] = ProcessState();
  for (uint32_t i = overwritten_objects; i < object_limit; ++i) objects[i].kind = ObjectKind::None;
  moves = 0;
  events = 0;
  thread_limit = 0;
  object_limit = 0;
  part_count = 0;
  undo_count = 0;
  message_limit = 0;
  file_lock_count = 0;
  has_timers = 0;
  touched_count = 0;
  created_count = 0;
  signal_count = 0;
  signal_table_count = 1;
}

void World::touch(ObjectId id) {
  for (uint32_t i = touched_count; i > 0; --i) {
    if (touched[i - 1] == id) return;
  }
  if (touched_count < kMaxTouched) touched[touched_count++] = id;
}

void World::create_thread(ThreadId id, ThreadId creator, ProcessId process) {
  // Shared memory starts as zeroes, which is no absent thread: it would wait on object 0.
  for (; thread_limit <= index(id); ++thread_limit) threads[thread_limit] = kAbsentThread;
  ThreadState& state = thread(id);
  MAZURKA_CHECK(state.status == ThreadStatus::Absent);
  if (created_count < kMaxThreads) created[created_count++] = id;
  state.status = ThreadStatus::Running;
  state.creator = creator;
  state.process = process;
  state.waiting_since = moves;
  if (creator != kNoThread) {
    ++thread(creator).children;
    state.clock_ns = thread(creator).clock_ns;
  }
  if (process == id) {
    processes[index(id)] = ProcessState();
    processes[index(id)].exists = true;
    if (creator != kNoThread) processes[index(id)].parent = thread(creator).process;
    if (creator != kNoThread) inherit_descriptions(*this, creator, id);
  }
  ++processes[index(process)].live_threads;
  if (creator != kNoThread) inherit_signals(*this, creator, id);
}

Object& World::create_object(ObjectId id, ObjectKind kind, ProcessId process) {
  if (object_limit <= index(id)) object_limit = index(id) + 1;
  Object& made = object(id);
  const bool is_new = made.kind == ObjectKind::None;
  // All bytes of it, also those that belong to no field: searches compare objects as a whole. The
  // compiler may not know that they are set up anew then, or it would take this for needless.
  memset(static_cast<void*>(&made), 0, sizeof made);
  asm volatile("" : : "r"(&made) : "memory");
  new (&made) Object();
  made.kind = kind;
  made.process = process;
  if (is_new && touched_count < kMaxTouched) {
    touched[touched_count++] = id;  // nobody can have touched it
  } else {
    touch(id);
  }
  const KindRow& row = row_of(kind);
  if (row.make != nullptr) row.make(made);
  if (row.shows_time) has_timers = 1;
  return made;
}

void add_object_state(const World& world, ObjectId id, StateSink& sink) {
  const Object& object = world.object(id);
  sink.add({static_cast<int64_t>(object.kind), object.destroyed});
  sink.add_clock(object.clock_ns);
  const KindRow& row = row_of(object.kind);
  if (row.state != nullptr) row.state(world, id, sink);
}

bool World::alone(ThreadId id) const {
  for (uint32_t i = 0; i < thread_limit; ++i) {
    const ThreadState& other = threads[i];
    if (ThreadId(i) == id || other.status == ThreadStatus::Absent) continue;
    if (other.status != ThreadStatus::AtExit || !other.joined) return false;
  }
  return true;
}

namespace {

// Whether it would wait now if it had all the time it wants. With a mask of its own a poll takes
// signals even if it has none.
bool would_wait(const World& world, ThreadId thread, const Operation& op, const OpRow& row) {
  if ((op.flags & kTry) != 0 && !has_own_mask(op)) return false;
  Operation patient = op;
  patient.flags &= static_cast<uint8_t>(~(kTry | kTimed));
  if (op.kind == OpKind::Poll)
    patient.flags &= static_cast<uint8_t>(~kMayExpire);  // nor that a timer expires
  return row.enabled(world, thread, patient).form == Outcomes::Form::None;
}

// Requires that the row and the misuse are the operation's.
Outcomes enabled_as(const World& world, ThreadId thread, const Operation& op, const OpRow& row,
                    Misuse misuse) {
  if (misuse != Misuse::None) {
    // A wait that was not woken does not get as far as its destroyed mutex.
    const bool blocked = op.kind == OpKind::CondReacquire && !world.thread(thread).woken;
    return blocked ? Outcomes::none() : Outcomes::one();
  }
  if (world.signal_count == 0 && op.kind != OpKind::SignalSend)
    return row.enabled(world, thread, op);
  const Outcomes plain = row.enabled(world, thread, op);
  const bool waits = is_interruptible(op) && would_wait(world, thread, op, row);
  return with_deliveries(world, thread, op, plain, waits);
}

// Requires the same, and that the outcome is enabled.
Effect apply_as(World& world, ThreadId thread, const Operation& op, Outcome outcome,
                const OpRow& row, Misuse misuse) {
  ThreadState& me = world.thread(thread);
  const uint64_t waited_since = me.waiting_since;
  const uint16_t yields = me.repeated_waits;
  begin_transition(world, me);
  // Who takes a signal while it waits keeps its place among the waiters.
  const bool delivers = is_delivery(op, outcome);
  if (delivers && me.waiting_on != kNoObject) me.waiting_since = waited_since;
  if (op.kind == OpKind::WaitForOthers && !delivers) {
    me.repeated_waits = yields < UINT16_MAX ? static_cast<uint16_t>(yields + 1) : yields;
  }
  if (delivers) return take_signal(world, thread, op, outcome);
  const Effect effect =
      misuse == Misuse::None ? row.apply(world, thread, op, outcome) : Effect{.misuse = misuse};
  if (effect.misuse != Misuse::None) end_process(world, me.process, SIGABRT);
  return effect;
}

}  // namespace

Outcomes enabled(const World& world, ThreadId thread, const Operation& op) {
  const OpRow& row = row_of(op.kind);
  return enabled_as(world, thread, op, row, misuse_of_objects(world, op, row));
}

Effect apply(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
  const OpRow& row = row_of(op.kind);
  return apply_as(world, thread, op, outcome, row, misuse_of_objects(world, op, row));
}

bool apply_if_enabled(World& world, ThreadId thread, const Operation& op, Outcome outcome,
                      Effect& effect) {
  const OpRow& row = row_of(op.kind);
  const Misuse misuse = misuse_of_objects(world, op, row);
  if (misuse == Misuse::None && world.signal_count == 0 &&
      op.kind != OpKind::SignalSend) {  // mostly
    const Outcomes outcomes = row.enabled(world, thread, op);
    const bool is_single = outcomes.form == Outcomes::Form::Single;
    if (is_single ? outcomes.only != outcome : !has_outcome(world, outcomes, outcome)) return false;
  } else if (!has_outcome(world, enabled_as(world, thread, op, row, misuse), outcome)) {
    return false;
  }
  effect = apply_as(world, thread, op, outcome, row, misuse);
  return true;
}

bool has_outcome(const World& world, const Outcomes& outcomes, Outcome outcome) {
  if ((outcomes.first | outcomes.then) != 0) {
    bool found = false;
    each_outcome(world, outcomes, [&](Outcome other) {
      found = other == outcome;
      return !found;
    });
    return found;
  }
  switch (outcomes.form) {
    case Outcomes::Form::None:
      return false;
    case Outcomes::Form::Single:
      return outcome == outcomes.only;
    case Outcomes::Form::Range:
      return outcome >= outcomes.only && outcome < outcomes.count;
    case Outcomes::Form::Waiters:
      return outcome < world.thread_limit && world.waits_on(ThreadId(outcome), outcomes.object);
    case Outcomes::Form::Children: {
      if (outcome >= world.thread_limit) return false;
      const ProcessState& p = world.processes[outcome];
      return p.exists && p.parent == outcomes.process && p.ended && !p.reaped;
    }
  }
  return false;
}

}  // namespace mazurka
