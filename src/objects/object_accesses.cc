#include "objects/object_accesses.h"

#include <errno.h>

namespace mazurka {
namespace {

void touch(AccessList& out, ObjectId object, Mode mode) { out.add(object_resource(object), mode); }

// --- mutexes

bool takes(const Asked& asked, ObjectId id) {
  Mutex mutex = asked.world.object(id).mutex;
  const int error = mutex.lock(asked.thread);
  return error == 0 || error == EOWNERDEAD;
}

// Whether a thread owns a mutex does not change while it stands before an operation.
bool owns(const Asked& asked, ObjectId mutex) {
  return asked.world.object(mutex).mutex.owner == asked.thread;
}

Mode lock_mode(const Asked& asked, ObjectId mutex) {
  return asked.possible || takes(asked, mutex) ? Mode::Write : Mode::Read;
}

// --- waiters

// All who wait on the object; for what is possible, also those who have been woken since.
template <typename F>
void each_waiter(const Asked& asked, F&& f) {
  const World& world = asked.world;
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    const ThreadState& waiter = world.threads[i];
    if (waiter.waiting_on != asked.op.object || waiter.status == ThreadStatus::AtExit) continue;
    if (asked.possible || !waiter.woken) f(ThreadId(i));
  }
}

void wakes_all(const Asked& asked, AccessList& out) {
  each_waiter(asked, [&](ThreadId waiter) { out.add(wake_resource(waiter), Mode::Add); });
}

void wakes_one(const Asked& asked, AccessList& out) {
  if (asked.possible) return wakes_all(asked, out);
  if (asked.outcome != kNobody) out.add(wake_resource(ThreadId(asked.outcome)), Mode::Add);
}

bool waits_longer(const World& world, ThreadId a, ThreadId b) {
  const uint64_t since_a = world.thread(a).waiting_since;
  const uint64_t since_b = world.thread(b).waiting_since;
  return since_a != since_b ? since_a < since_b : index(a) < index(b);
}

void wakes_longest_waiting(const Asked& asked, AccessList& out) {
  each_waiter(asked, [&](ThreadId waiter) {
    int64_t before = 0;
    each_waiter(asked, [&](ThreadId other) { before += waits_longer(asked.world, other, waiter); });
    if (asked.possible || before < asked.op.value) out.add(wake_resource(waiter), Mode::Add);
  });
}

// --- one function per model

void mutex_accesses(const Asked& asked, AccessList& out) {
  const ObjectId mutex = asked.op.object;
  Mode mode = Mode::Write;
  if (asked.op.kind == OpKind::MutexLock) mode = lock_mode(asked, mutex);
  if (asked.op.kind == OpKind::MutexUnlock && !owns(asked, mutex)) mode = Mode::Read;
  touch(out, mutex, mode);
}

void condition_accesses(const Asked& asked, AccessList& out) {
  const Operation& op = asked.op;
  switch (op.kind) {
    case OpKind::CondWait: {
      const Mode mode = owns(asked, op.second) ? Mode::Write : Mode::Read;
      touch(out, op.object, mode);
      touch(out, op.second, mode);
      break;
    }
    case OpKind::CondReacquire:
      touch(out, op.second, lock_mode(asked, op.second));
      out.add(wake_resource(asked.thread), Mode::Read);
      break;
    case OpKind::CondWake:
      touch(out, op.object, Mode::Write);
      out.add(wake_resource(asked.thread), Mode::Read);
      break;
    case OpKind::CondSignal:
      touch(out, op.object, Mode::Write);
      wakes_one(asked, out);
      break;
    case OpKind::CondBroadcast:
      touch(out, op.object, Mode::Write);
      wakes_all(asked, out);
      break;
    default:
      touch(out, op.object, Mode::Write);
      break;
  }
}

// Readers add to the readers' side, and read the side that writers write. When more threads read at
// once than are known by name (kMaxKnownReaders), their order shows in which unlocks are believed;
// that is not counted.
void rwlock_accesses(const Asked& asked, AccessList& out) {
  const RwLock& lock = asked.world.object(asked.op.object).rwlock;
  const Resource readers = object_resource(asked.op.object, kReaders);
  bool reads = false;
  bool writes = false;
  switch (asked.op.kind) {
    case OpKind::ReadLock:
      reads = asked.possible || lock.writer == kNoThread;
      break;
    case OpKind::WriteLock:
      writes = asked.possible || !lock.held();
      if (asked.possible || !writes) out.add(readers, Mode::Read);
      break;
    case OpKind::RwUnlock:
      writes = lock.writer == asked.thread;
      reads = !writes;
      break;
    default:
      writes = true;
      break;
  }
  touch(out, asked.op.object, writes ? Mode::Write : Mode::Read);
  if (reads) out.add(readers, Mode::Add);
}

// A leave knows its own round alone: the one who completed it woke this thread.
void barrier_accesses(const Asked& asked, AccessList& out) {
  if (asked.op.kind == OpKind::BarrierLeave) {
    out.add(wake_resource(asked.thread), Mode::Read);
    return;
  }
  touch(out, asked.op.object, Mode::Write);
  const Barrier& barrier = asked.world.object(asked.op.object).barrier;
  const bool completes = barrier.arrived + 1 >= barrier.count;
  if (asked.op.kind == OpKind::BarrierArrive && (asked.possible || completes))
    wakes_all(asked, out);
}

// Additions commute as long as the sum does not meet the limit.
Mode post_mode(int64_t value) {
  constexpr int64_t kFarFromLimit = int64_t{kMaxSemValue} - kMaxThreads;
  return value < kFarFromLimit ? Mode::Add : Mode::Write;
}

void semaphore_accesses(const Asked& asked, AccessList& out) {
  const int32_t value = asked.world.object(asked.op.object).semaphore.value;
  Mode mode = Mode::Write;
  switch (asked.op.kind) {
    case OpKind::SemWait:
      mode = asked.possible || value > 0 ? Mode::Write : Mode::Read;
      break;
    case OpKind::SemPost:
      mode = post_mode(value);
      break;
    case OpKind::SemGetValue:
      mode = Mode::Read;
      break;
    default:
      break;
  }
  touch(out, asked.op.object, mode);
}

// --- System V semaphores

const SemPart& part(const Asked& asked, uint32_t i) {
  return asked.world.parts[asked.op.part_begin + i];
}

void touch_parts(const Asked& asked, Mode mode, AccessList& out) {
  for (uint32_t i = 0; i < asked.op.part_count; ++i) touch(out, part(asked, i).semaphore, mode);
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
    const SemPart& p = part(asked, i);
    if (p.semaphore != semaphore) continue;
    together.only_add = together.only_add && p.delta > 0;
    together.only_wait_for_zero = together.only_wait_for_zero && p.delta == 0;
    together.sum += p.delta;
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

void semop_accesses(const Asked& asked, AccessList& out) {
  const int result = semop_result(asked.world, asked.op);
  const bool succeeds = asked.possible || result == 0;
  bool undo = false;
  for (uint32_t i = 0; i < asked.op.part_count; ++i) {
    const ObjectId semaphore = part(asked, i).semaphore;
    undo = undo || part(asked, i).undo;
    if (succeeds) touch(out, semaphore, successful_mode(asked, semaphore));
    const bool looks = result == ERANGE || !parts_on(asked, semaphore).only_add;
    if (!succeeds && looks) touch(out, semaphore, Mode::Read);
  }
  const ProcessId process = asked.world.thread(asked.thread).process;
  if (succeeds && undo) out.add(process_resource(process, kLife), Mode::Write);
}

bool values_are_valid(const Asked& asked) {
  for (uint32_t i = 0; i < asked.op.part_count; ++i) {
    if (part(asked, i).delta < 0 || part(asked, i).delta > kMaxSystemVValue) return false;
  }
  return true;
}

void sem_set_accesses(const Asked& asked, AccessList& out) {
  const Operation& op = asked.op;
  const bool removed = asked.world.object(op.object).destroyed;
  const bool removes = op.kind == OpKind::SemctlRemove && !removed;
  touch(out, op.object, removes ? Mode::Write : Mode::Read);
  if (removed) {
    // A semop's error tells whether it would have had to wait.
    if (op.kind == OpKind::Semop) touch_parts(asked, Mode::Read, out);
    return;
  }
  if (removes && op.second != kNoObject) touch(out, op.second, Mode::Write);
  if (op.kind == OpKind::Semop) semop_accesses(asked, out);
  if (op.kind == OpKind::SemctlGet) touch_parts(asked, Mode::Read, out);
  if (op.kind == OpKind::SemctlSet) {
    touch_parts(asked, values_are_valid(asked) ? Mode::Write : Mode::Read, out);
  }
}

// --- the rest

void named_accesses(const Asked& asked, AccessList& out) {
  const bool exists = asked.world.object(asked.op.object).named.exists;
  const bool opens = asked.op.kind == OpKind::NameOpen;
  const bool makes = opens && (asked.op.value & kCreate) && (asked.possible || !exists);
  const bool removes = !opens && (asked.possible || exists);
  touch(out, asked.op.object, makes || removes ? Mode::Write : Mode::Read);
}

void once_accesses(const Asked& asked, AccessList& out) {
  const bool done = asked.world.object(asked.op.object).once.state == Once::State::Done;
  const bool looks = asked.op.kind == OpKind::OnceBegin && done && !asked.possible;
  touch(out, asked.op.object, looks ? Mode::Read : Mode::Write);
}

// Only a wait that may give up comes back to the futex.
void futex_accesses(const Asked& asked, AccessList& out) {
  const Operation& op = asked.op;
  const bool blocked = op.kind == OpKind::FutexBlocked;
  if (blocked) out.add(wake_resource(asked.thread), Mode::Read);
  if (op.kind == OpKind::FutexWait && op.second != kNoObject) {
    touch(out, op.second, Mode::Read);
    if (!asked.possible && !futex_word_is(asked.world, op)) return;
  }
  if (!blocked || (op.flags & kTimed)) touch(out, op.object, Mode::Write);
  if (op.kind != OpKind::FutexWake) return;
  if (op.value == 1) {
    wakes_one(asked, out);
  } else {
    wakes_longest_waiting(asked, out);
  }
}

void variable_accesses(const Asked& asked, AccessList& out) {
  const Operation& op = asked.op;
  const bool may_write = asked.possible && op.kind == OpKind::VarCompareExchange;
  const bool writes = may_write || asked.world.object(op.object).variable.is_written_by(op);
  out.add_new(object_resource(op.object),
              writes ? Mode::Write : Mode::Read);  // a misuse would not come here
  for (uint32_t i = 0; i < op.part_count; ++i) {
    const bool same_bytes = part(asked, i).undo != 0;
    touch(out, part(asked, i).semaphore, writes && same_bytes ? Mode::Write : Mode::Read);
  }
}

}  // namespace

void object_accesses(const Asked& asked, AccessList& out) {
  switch (asked.op.kind) {
    case OpKind::MutexLock:
    case OpKind::MutexUnlock:
    case OpKind::MutexDestroy:
    case OpKind::MutexConsistent:
      return mutex_accesses(asked, out);
    case OpKind::CondWait:
    case OpKind::CondReacquire:
    case OpKind::CondWake:
    case OpKind::CondSignal:
    case OpKind::CondBroadcast:
    case OpKind::CondDestroy:
      return condition_accesses(asked, out);
    case OpKind::ReadLock:
    case OpKind::WriteLock:
    case OpKind::RwUnlock:
    case OpKind::RwDestroy:
      return rwlock_accesses(asked, out);
    case OpKind::BarrierArrive:
    case OpKind::BarrierLeave:
    case OpKind::BarrierDestroy:
      return barrier_accesses(asked, out);
    case OpKind::SemWait:
    case OpKind::SemPost:
    case OpKind::SemGetValue:
    case OpKind::SemDestroy:
      return semaphore_accesses(asked, out);
    case OpKind::Semop:
    case OpKind::SemctlSet:
    case OpKind::SemctlGet:
    case OpKind::SemctlRemove:
      return sem_set_accesses(asked, out);
    case OpKind::NameOpen:
    case OpKind::NameUnlink:
      return named_accesses(asked, out);
    case OpKind::OnceBegin:
    case OpKind::OnceEnd:
      return once_accesses(asked, out);
    case OpKind::FutexWait:
    case OpKind::FutexBlocked:
    case OpKind::FutexWake:
      return futex_accesses(asked, out);
    case OpKind::VarLoad:
    case OpKind::VarStore:
    case OpKind::VarUpdate:
    case OpKind::VarCompareExchange:
      return variable_accesses(asked, out);
    case OpKind::ChannelRead:
    case OpKind::ChannelWrite:
      return channel_accesses(asked, out);
    case OpKind::DescriptionOpen:
    case OpKind::DescriptionClose:
    case OpKind::DescriptionSet:
    case OpKind::Poll:
      return description_accesses(asked, out);
    case OpKind::QueueSend:
    case OpKind::QueueReceive:
    case OpKind::QueueGet:
    case OpKind::QueueSet:
    case OpKind::QueueRemove:
      return queue_accesses(asked, out);
    case OpKind::TimerRead:
    case OpKind::TimerSet:
    case OpKind::TimerGet:
      return timer_accesses(asked, out);
    case OpKind::SocketBind:
    case OpKind::SocketListen:
    case OpKind::SocketConnect:
    case OpKind::SocketAccept:
    case OpKind::DatagramSend:
    case OpKind::AddressLook:
    case OpKind::AddressUnlink:
      return socket_accesses(asked, out);
    case OpKind::FifoMake:
    case OpKind::FifoOpen:
    case OpKind::FifoWait:
      return fifo_accesses(asked, out);
    case OpKind::FileLock:
    case OpKind::FileUnlock:
    case OpKind::FileLook:
    case OpKind::FileForget:
      return file_lock_accesses(asked, out);
    case OpKind::FileUse:
      return file_use_accesses(asked, out);
    case OpKind::SignalSend:
    case OpKind::SignalAction:
    case OpKind::SignalMask:
    case OpKind::SignalWait:
    case OpKind::SignalCancel:
      return signal_accesses(asked, out);
    case OpKind::Event:
      return out.add(events_resource(), Mode::Write);
    default:
      return;
  }
}

}  // namespace mazurka
