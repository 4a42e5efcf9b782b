#include "objects/world.h"

#include <signal.h>

#include <cstring>
#include <new>

#include "base/check.h"
#include "objects/clock.h"

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
  switch (kind) {
    case ObjectKind::None:
    case ObjectKind::Mutex:
    case ObjectKind::Event:
      break;
    case ObjectKind::Condition:
      new (&made.condition) Condition();
      break;
    case ObjectKind::RwLock:
      new (&made.rwlock) RwLock();
      break;
    case ObjectKind::Barrier:
      new (&made.barrier) Barrier();
      break;
    case ObjectKind::Semaphore:
      new (&made.semaphore) Semaphore();
      break;
    case ObjectKind::SemSet:
      new (&made.sem_set) SemSet();
      break;
    case ObjectKind::Named:
      new (&made.named) Named();
      break;
    case ObjectKind::Once:
      new (&made.once) Once();
      break;
    case ObjectKind::Futex:
      new (&made.futex) Futex();
      break;
    case ObjectKind::Variable:
      new (&made.variable) Variable();
      break;
    case ObjectKind::Channel:
      new (&made.channel) Channel();
      break;
    case ObjectKind::Description:
      new (&made.description) Description();
      break;
    case ObjectKind::Queue:
      new (&made.queue) Queue();
      break;
    case ObjectKind::Timer:
      new (&made.timer) Timer();
      has_timers = 1;
      break;
    case ObjectKind::Address:
      new (&made.address) Address();
      break;
    case ObjectKind::File:
      new (&made.file) File();
      break;
    case ObjectKind::FileName:
      new (&made.file_name) FileName();
      break;
    case ObjectKind::FileData:
      new (&made.file_data) FileData();
      break;
  }
  return made;
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

// Which model answers for an operation.
enum class Model : uint8_t {
  Process,
  Toss,
  Event,
  Yield,
  Mutex,
  Condition,
  RwLock,
  Barrier,
  Semaphore,
  SemSet,
  Named,
  Once,
  Futex,
  Variable,
  Channel,
  Description,
  Queue,
  Timer,
  Socket,
  Fifo,
  FileLock,
  FileUse,
  Signals,
};

Model model_of(OpKind kind) {
  switch (kind) {
    case OpKind::Toss:
      return Model::Toss;
    case OpKind::Event:
      return Model::Event;
    case OpKind::MutexLock:
    case OpKind::MutexUnlock:
    case OpKind::MutexDestroy:
    case OpKind::MutexConsistent:
      return Model::Mutex;
    case OpKind::CondWait:
    case OpKind::CondReacquire:
    case OpKind::CondWake:
    case OpKind::CondSignal:
    case OpKind::CondBroadcast:
    case OpKind::CondDestroy:
      return Model::Condition;
    case OpKind::ReadLock:
    case OpKind::WriteLock:
    case OpKind::RwUnlock:
    case OpKind::RwDestroy:
      return Model::RwLock;
    case OpKind::BarrierArrive:
    case OpKind::BarrierLeave:
    case OpKind::BarrierDestroy:
      return Model::Barrier;
    case OpKind::SemWait:
    case OpKind::SemPost:
    case OpKind::SemGetValue:
    case OpKind::SemDestroy:
      return Model::Semaphore;
    case OpKind::Semop:
    case OpKind::SemctlSet:
    case OpKind::SemctlGet:
    case OpKind::SemctlRemove:
      return Model::SemSet;
    case OpKind::NameOpen:
    case OpKind::NameUnlink:
      return Model::Named;
    case OpKind::OnceBegin:
    case OpKind::OnceEnd:
      return Model::Once;
    case OpKind::FutexWait:
    case OpKind::FutexBlocked:
    case OpKind::FutexWake:
      return Model::Futex;
    case OpKind::VarLoad:
    case OpKind::VarStore:
    case OpKind::VarUpdate:
    case OpKind::VarCompareExchange:
      return Model::Variable;
    case OpKind::ChannelRead:
    case OpKind::ChannelWrite:
      return Model::Channel;
    case OpKind::DescriptionOpen:
    case OpKind::DescriptionClose:
    case OpKind::DescriptionSet:
    case OpKind::Poll:
      return Model::Description;
    case OpKind::QueueSend:
    case OpKind::QueueReceive:
    case OpKind::QueueGet:
    case OpKind::QueueSet:
    case OpKind::QueueRemove:
      return Model::Queue;
    case OpKind::TimerRead:
    case OpKind::TimerSet:
    case OpKind::TimerGet:
      return Model::Timer;
    case OpKind::SocketBind:
    case OpKind::SocketListen:
    case OpKind::SocketConnect:
    case OpKind::SocketAccept:
    case OpKind::DatagramSend:
    case OpKind::AddressLook:
    case OpKind::AddressUnlink:
      return Model::Socket;
    case OpKind::FifoMake:
    case OpKind::FifoOpen:
    case OpKind::FifoWait:
      return Model::Fifo;
    case OpKind::FileLock:
    case OpKind::FileUnlock:
    case OpKind::FileLook:
    case OpKind::FileForget:
      return Model::FileLock;
    case OpKind::FileUse:
      return Model::FileUse;
    case OpKind::SignalSend:
    case OpKind::SignalAction:
    case OpKind::SignalMask:
    case OpKind::SignalLook:
    case OpKind::SignalPause:
    case OpKind::SignalWait:
    case OpKind::SignalCancel:
      return Model::Signals;
    case OpKind::Yield:
      return Model::Yield;
    default:
      return Model::Process;
  }
}

ObjectKind kind_of(Model model) {
  switch (model) {
    case Model::Process:
    case Model::Toss:
    case Model::Yield:
    case Model::Signals:
      return ObjectKind::None;
    case Model::Event:
      return ObjectKind::Event;
    case Model::Mutex:
      return ObjectKind::Mutex;
    case Model::Condition:
      return ObjectKind::Condition;
    case Model::RwLock:
      return ObjectKind::RwLock;
    case Model::Barrier:
      return ObjectKind::Barrier;
    case Model::Semaphore:
      return ObjectKind::Semaphore;
    case Model::SemSet:
      return ObjectKind::SemSet;
    case Model::Named:
      return ObjectKind::Named;
    case Model::Once:
      return ObjectKind::Once;
    case Model::Futex:
      return ObjectKind::Futex;
    case Model::Variable:
      return ObjectKind::Variable;
    case Model::Channel:
      return ObjectKind::Channel;
    case Model::Description:
      return ObjectKind::Description;
    case Model::Queue:
      return ObjectKind::Queue;
    case Model::Timer:
      return ObjectKind::Timer;
    case Model::FileLock:
      return ObjectKind::File;
    case Model::Socket:
    case Model::Fifo:
    case Model::FileUse:
      break;
  }
  return ObjectKind::None;
}

Misuse misuse_of(const World& world, ObjectId id, ObjectKind wanted) {
  if (id == kNoObject || world.object(id).kind != wanted) return Misuse::NotInitialised;
  return world.object(id).destroyed ? Misuse::Destroyed : Misuse::None;
}

// Whether the operation names an object that is none. The second half of a wait does not come back
// to the object that it waited on (which may have been destroyed meanwhile), and a removed set or
// queue is an error, not a misuse.
Misuse misuse_of(const World& world, const Operation& op, Model model) {
  const ObjectKind wanted = kind_of(model);
  if (wanted == ObjectKind::None) return Misuse::None;
  switch (op.kind) {
    case OpKind::CondReacquire:
      return misuse_of(world, op.second, ObjectKind::Mutex);
    case OpKind::CondWait: {
      const Misuse of_condition = misuse_of(world, op.object, wanted);
      return of_condition != Misuse::None ? of_condition
                                          : misuse_of(world, op.second, ObjectKind::Mutex);
    }
    case OpKind::CondWake:
    case OpKind::BarrierLeave:
    case OpKind::FutexBlocked:
    case OpKind::Poll:
      return Misuse::None;
    default:
      break;
  }
  const Misuse misuse = misuse_of(world, op.object, wanted);
  const bool can_be_removed = model == Model::SemSet || model == Model::Queue;
  return can_be_removed && misuse == Misuse::Destroyed ? Misuse::None : misuse;
}

Effect apply_in_model(World& world, ThreadId thread, const Operation& op, Outcome outcome,
                      Model model) {
  switch (model) {
    case Model::Process:
      return process_apply(world, thread, op, outcome);
    case Model::Toss:
      return {.value = outcome};
    case Model::Event:
      return {.value = static_cast<int64_t>(world.events++)};
    case Model::Yield:
      return {};
    case Model::Mutex:
      return mutex_apply(world, thread, op);
    case Model::Condition:
      return condition_apply(world, thread, op, outcome);
    case Model::RwLock:
      return rwlock_apply(world, thread, op);
    case Model::Barrier:
      return barrier_apply(world, thread, op);
    case Model::Semaphore:
      return semaphore_apply(world, thread, op);
    case Model::SemSet:
      return sem_set_apply(world, thread, op);
    case Model::Named:
      return named_apply(world, thread, op);
    case Model::Once:
      return once_apply(world, thread, op);
    case Model::Futex:
      return futex_apply(world, thread, op, outcome);
    case Model::Variable:
      return variable_apply(world, thread, op);
    case Model::Channel:
      return channel_apply(world, thread, op, outcome);
    case Model::Description:
      return description_apply(world, thread, op, outcome);
    case Model::Queue:
      return queue_apply(world, thread, op);
    case Model::Timer:
      return timer_apply(world, thread, op, outcome);
    case Model::Socket:
      return socket_apply(world, thread, op, outcome);
    case Model::Fifo:
      return fifo_apply(world, thread, op);
    case Model::FileLock:
      return file_lock_apply(world, thread, op);
    case Model::FileUse:
      return file_use_apply(world, thread, op);
    case Model::Signals:
      return signal_apply(world, thread, op);
  }
  return {};
}

Outcomes enabled_in_model(const World& world, ThreadId thread, const Operation& op, Model model) {
  switch (model) {
    case Model::Process:
      return process_enabled(world, thread, op);
    case Model::Toss:
      return Outcomes::range(static_cast<uint32_t>(op.value) + 1);
    case Model::Event:
      return Outcomes::one();
    case Model::Yield:
      return world.moves > world.thread(thread).waiting_since ? Outcomes::one() : Outcomes::none();
    case Model::Mutex:
      return mutex_enabled(world, thread, op);
    case Model::Condition:
      return condition_enabled(world, thread, op);
    case Model::RwLock:
      return rwlock_enabled(world, thread, op);
    case Model::Barrier:
      return barrier_enabled(world, thread, op);
    case Model::Semaphore:
      return semaphore_enabled(world, thread, op);
    case Model::SemSet:
      return sem_set_enabled(world, thread, op);
    case Model::Named:
      return named_enabled(world, thread, op);
    case Model::Once:
      return once_enabled(world, thread, op);
    case Model::Futex:
      return futex_enabled(world, thread, op);
    case Model::Variable:
      return variable_enabled(world, thread, op);
    case Model::Channel:
      return channel_enabled(world, thread, op);
    case Model::Description:
      return description_enabled(world, thread, op);
    case Model::Queue:
      return queue_enabled(world, thread, op);
    case Model::Timer:
      return timer_enabled(world, thread, op);
    case Model::Socket:
      return socket_enabled(world, thread, op);
    case Model::Fifo:
      return fifo_enabled(world, thread, op);
    case Model::FileLock:
      return file_lock_enabled(world, thread, op);
    case Model::FileUse:
      return file_use_enabled(world, thread, op);
    case Model::Signals:
      return signal_enabled(world, thread, op);
  }
  return Outcomes::none();
}

// Whether it would wait now if it had all the time it wants. With a mask of its own a poll takes
// signals even if it has none.
bool would_wait(const World& world, ThreadId thread, const Operation& op, Model model) {
  if ((op.flags & kTry) != 0 && !has_own_mask(op)) return false;
  Operation patient = op;
  patient.flags &= static_cast<uint8_t>(~(kTry | kTimed));
  if (op.kind == OpKind::Poll)
    patient.flags &= static_cast<uint8_t>(~kMayExpire);  // nor that a timer expires
  return enabled_in_model(world, thread, patient, model).form == Outcomes::Form::None;
}

// Requires that the model and the misuse are the operation's.
Outcomes enabled_as(const World& world, ThreadId thread, const Operation& op, Model model,
                    Misuse misuse) {
  if (misuse != Misuse::None) {
    // A wait that was not woken does not get as far as its destroyed mutex.
    const bool blocked = op.kind == OpKind::CondReacquire && !world.thread(thread).woken;
    return blocked ? Outcomes::none() : Outcomes::one();
  }
  if (world.signal_count == 0 && op.kind != OpKind::SignalSend)
    return enabled_in_model(world, thread, op, model);
  const Outcomes plain = enabled_in_model(world, thread, op, model);
  const bool waits = is_interruptible(op) && would_wait(world, thread, op, model);
  return with_deliveries(world, thread, op, plain, waits);
}

// Requires the same, and that the outcome is enabled.
Effect apply_as(World& world, ThreadId thread, const Operation& op, Outcome outcome, Model model,
                Misuse misuse) {
  ThreadState& me = world.thread(thread);
  const uint64_t waited_since = me.waiting_since;
  const uint16_t yields = me.repeated_yields;
  begin_transition(world, me);
  // Who takes a signal while it waits keeps its place among the waiters.
  const bool delivers = is_delivery(op, outcome);
  if (delivers && me.waiting_on != kNoObject) me.waiting_since = waited_since;
  if (model == Model::Yield && !delivers) {
    me.repeated_yields = yields < UINT16_MAX ? static_cast<uint16_t>(yields + 1) : yields;
  }
  if (delivers) return take_signal(world, thread, op, outcome);
  const Effect effect = misuse == Misuse::None ? apply_in_model(world, thread, op, outcome, model)
                                               : Effect{.misuse = misuse};
  if (effect.misuse != Misuse::None) end_process(world, me.process, SIGABRT);
  return effect;
}

}  // namespace

Outcomes enabled(const World& world, ThreadId thread, const Operation& op) {
  const Model model = model_of(op.kind);
  return enabled_as(world, thread, op, model, misuse_of(world, op, model));
}

Effect apply(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
  const Model model = model_of(op.kind);
  return apply_as(world, thread, op, outcome, model, misuse_of(world, op, model));
}

bool apply_if_enabled(World& world, ThreadId thread, const Operation& op, Outcome outcome,
                      Effect& effect) {
  const Model model = model_of(op.kind);
  const Misuse misuse = misuse_of(world, op, model);
  if (misuse == Misuse::None && world.signal_count == 0 &&
      op.kind != OpKind::SignalSend) {  // mostly
    const Outcomes outcomes = enabled_in_model(world, thread, op, model);
    const bool is_single = outcomes.form == Outcomes::Form::Single;
    if (is_single ? outcomes.only != outcome : !has_outcome(world, outcomes, outcome)) return false;
  } else if (!has_outcome(world, enabled_as(world, thread, op, model, misuse), outcome)) {
    return false;
  }
  effect = apply_as(world, thread, op, outcome, model, misuse);
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
