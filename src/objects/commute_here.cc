// Conditional dependency: VeriSoft section 4 (binary and counting semaphores), Stoller section 7.
// His figure 3 lets a wait and a notify commute because only the owner of the lock may notify; a
// pthread signal needs no lock, so here it depends on whom the signal wakes.
#include "objects/accesses.h"
#include "objects/clock.h"
#include "objects/misuse.h"

namespace mazurka {
namespace {

constexpr uint32_t kMaxAccesses = 256;

struct Side {
  ThreadId thread;
  const Operation& op;
  Outcome outcome;

  bool is(OpKind kind) const { return op.kind == kind; }
};

// --- each model: do they commute as far as this object goes? Requires that neither is a misuse.

bool refused_unlock(const Mutex& mutex, const Side& x) {
  return x.is(OpKind::MutexUnlock) && mutex.owner != x.thread;
}
bool cannot_take(const Mutex& mutex, const Side& x) {
  return x.is(OpKind::MutexLock) && mutex.would_block(x.thread);
}
// A further level of the one who owns it, or a repair.
bool keeps_owner(const Mutex& mutex, const Side& x) {
  if (mutex.owner != x.thread) return false;
  return x.is(OpKind::MutexLock) || (x.is(OpKind::MutexUnlock) && mutex.depth > 1) ||
         x.is(OpKind::MutexConsistent);
}

bool on_mutex(const Mutex& mutex, const Side& x, const Side& y) {
  if (refused_unlock(mutex, x)) return y.is(OpKind::MutexLock) || y.is(OpKind::MutexUnlock);
  return cannot_take(mutex, x) && keeps_owner(mutex, y);
}

bool wakes_nobody(const World& world, const Side& x) {
  if (x.is(OpKind::CondBroadcast) || (x.is(OpKind::FutexWake) && x.op.value != 1)) {
    return !has_waiters(world, x.op.object);
  }
  const bool one = x.is(OpKind::CondSignal) || x.is(OpKind::FutexWake);
  return one && x.outcome == kNobody;
}
bool wakes_one(const Side& x) {
  const bool one = x.is(OpKind::CondSignal) || (x.is(OpKind::FutexWake) && x.op.value == 1);
  return one && x.outcome != kNobody;
}

// Conditions and futexes alike. That the one wakes the other's thread has been excluded before.
bool on_waiters(const World& world, const Side& x, const Side& y) {
  const bool leaves = x.is(OpKind::CondWake) || x.is(OpKind::FutexBlocked);
  const bool destroys = x.is(OpKind::CondDestroy) || y.is(OpKind::CondDestroy);
  if (destroys) return false;
  if (leaves || (wakes_nobody(world, x) && wakes_nobody(world, y))) return true;
  if (!wakes_one(x)) return false;
  if (y.is(OpKind::CondWait) || y.is(OpKind::FutexWait)) return true;
  return wakes_one(y) && x.outcome != y.outcome;
}

// A writer that cannot have it because of readers, and a reader that leaves at least one.
bool on_rwlock(const RwLock& lock, const Side& x, const Side& y) {
  if (!x.is(OpKind::WriteLock) || lock.writer != kNoThread || lock.holds == 0) return false;
  return y.is(OpKind::ReadLock) || (y.is(OpKind::RwUnlock) && lock.holds >= 2);
}

bool on_barrier(const Barrier& barrier, const Side& x, const Side& y) {
  return x.is(OpKind::BarrierArrive) && y.is(OpKind::BarrierArrive) &&
         uint64_t{barrier.arrived} + 2 < barrier.count;
}

bool on_semaphore(const World& world, const Semaphore& semaphore, const Side& x, const Side& y) {
  if (x.is(OpKind::Semop) && y.is(OpKind::Semop)) {
    const int x_now = semop_result(world, x.op);
    const int y_now = semop_result(world, y.op);
    const int x_after = y_now == 0 ? semop_result(world, x.op, &y.op) : x_now;
    const int y_after = x_now == 0 ? semop_result(world, y.op, &x.op) : y_now;
    return x_now == x_after && y_now == y_after;
  }
  const bool posts = x.is(OpKind::SemPost) && semaphore.value <= kMaxSemValue - 2;
  const bool waits = x.is(OpKind::SemWait) && semaphore.value >= 2;
  if (y.is(OpKind::SemPost)) return posts;
  return y.is(OpKind::SemWait) && semaphore.value >= 1 && (posts || waits);
}

bool alike(const Channel& a, const Channel& b) {
  if (a.used != b.used || a.taken != b.taken || a.count != b.count || a.departures != b.departures)
    return false;
  for (uint32_t i = 0; i < a.used; ++i) {
    if (a.lengths[i] != b.lengths[i]) return false;
  }
  return true;
}

bool is_on_one_variable(const Operation& op) {
  return is_on_variable(op.kind) && op.part_count == 0;
}

// Both orders are tried out.
bool on_variable(const Variable& variable, const Side& x, const Side& y) {
  if (!is_on_one_variable(x.op) || !is_on_one_variable(y.op)) return false;
  const auto alike = [](const Effect& a, const Effect& b) {
    return a.error == b.error && a.value == b.value;
  };
  Variable x_first = variable;
  const Effect x_now = x_first.apply(x.op);
  const Effect y_after = x_first.apply(y.op);
  Variable y_first = variable;
  const Effect y_now = y_first.apply(y.op);
  const Effect x_after = y_first.apply(x.op);
  return alike(x_now, x_after) && alike(y_now, y_after) && x_first.value == y_first.value &&
         x_first.changes == y_first.changes;
}

// A read and a write commute where there is enough to read, and enough room. Both orders are tried
// out.
bool on_channel(const World& world, ObjectId id, const Side& x, const Side& y) {
  if (!x.is(OpKind::ChannelRead) || !y.is(OpKind::ChannelWrite)) return false;
  if (x.op.object != id || y.op.object != id || (x.op.flags & kPeek) != 0) return false;
  if ((x.op.flags & (kLossy | kPartial)) != 0 || (y.op.flags & kPartial) != 0) return false;
  int64_t read = 0;
  int64_t written = 0;
  if (channel_result(world, x.thread, x.op, read) != 0 ||
      channel_result(world, y.thread, y.op, written) != 0)
    return false;
  if (written == 0 || world.object(id).channel.is_empty()) return false;
  const bool goes_on = (y.op.flags & kGoesOn) != 0;
  Channel read_first = world.object(id).channel;
  Channel written_first = read_first;
  read_first.take(x.op.value);
  if (read_first.room(y.op.value, goes_on) != written) return false;
  read_first.put(written, goes_on);
  written_first.put(written, goes_on);
  return written_first.take(x.op.value) == read && alike(read_first, written_first);
}

// A receive: whether a message that is sent first, or later, makes no difference to it.
bool ignores_message(const World& world, const Operation& receive, int64_t type) {
  const uint32_t found = message_for(world, receive);
  if (found == kNoMessage) return !takes_type(world, receive, type);
  return !is_preferred(world, receive, type, world.messages[found].type);
}

// Requires that x and y do what they do here at once, or fail. System V tells who was the last to
// send and to receive.
bool on_queue(const World& world, const Queue& queue, const Side& x, const Side& y) {
  if (!is_queue_transfer(x.op.kind) || !is_queue_transfer(y.op.kind)) return false;
  const bool is_posix = queue.form == Queue::Form::Posix;
  if (x.is(OpKind::QueueReceive) && y.is(OpKind::QueueSend)) {
    return queue_result(world, y.op) == 0 && ignores_message(world, x.op, y.op.desired);
  }
  if (x.is(OpKind::QueueReceive)) return false;
  const bool both_fit = queue.count + 2 <= queue.most;
  return is_posix && y.is(OpKind::QueueSend) && both_fit && x.op.desired != y.op.desired;
}

// Records that do not overlap, of different owners, whatever is done to them.
bool on_file(const World& world, const Side& x, const Side& y) {
  const auto is_change = [](const Side& side) {
    const bool is_such = side.is(OpKind::FileLock) || side.is(OpKind::FileUnlock);
    return is_such && (side.op.flags & kRecord) != 0;
  };
  if (!is_change(x) || !is_change(y) ||
      owner_of(world, x.thread, x.op) == owner_of(world, y.thread, y.op))
    return false;
  return x.op.desired <= y.op.value || y.op.desired <= x.op.value;
}

bool on_object(const World& world, ObjectId id, const Side& x, const Side& y) {
  const Object& object = world.object(id);
  switch (object.kind) {
    case ObjectKind::Mutex:
      return on_mutex(object.mutex, x, y);
    case ObjectKind::Condition:
    case ObjectKind::Futex:
      return on_waiters(world, x, y);
    case ObjectKind::RwLock:
      return on_rwlock(object.rwlock, x, y);
    case ObjectKind::Barrier:
      return on_barrier(object.barrier, x, y);
    case ObjectKind::Semaphore:
      return on_semaphore(world, object.semaphore, x, y);
    case ObjectKind::Variable:
      return on_variable(object.variable, x, y);
    case ObjectKind::Channel:
      return on_channel(world, id, x, y);
    case ObjectKind::Queue:
      return !object.destroyed && on_queue(world, object.queue, x, y);
    case ObjectKind::File:
      return on_file(world, x, y);
    default:
      return false;
  }
}

bool conflict_commutes(const World& world, const Access& access, const Side& x, const Side& y) {
  if (access.resource.kind != Resource::Kind::Object) return false;
  const ObjectId id{access.resource.index};
  return on_object(world, id, x, y) || on_object(world, id, y, x);
}

}  // namespace

bool commute_here(const World& world, ThreadId a, const Operation& a_op, Outcome a_outcome,
                  ThreadId b, const Operation& b_op, Outcome b_outcome) {
  if (a == b || world.has_timers != 0) return false;
  if (is_delivery(a_op, a_outcome) || is_delivery(b_op, b_outcome)) return false;
  // A misuse ends its process, whatever its object; also one that others share a robust mutex with.
  if (foretell_misuse(world, a, a_op) != Misuse::None) return false;
  if (foretell_misuse(world, b, b_op) != Misuse::None) return false;
  Access a_items[kMaxAccesses];
  Access b_items[kMaxAccesses];
  AccessList a_list{a_items, kMaxAccesses};
  AccessList b_list{b_items, kMaxAccesses};
  accesses(world, a, a_op, a_outcome, a_list);
  accesses(world, b, b_op, b_outcome, b_list);
  if (a_list.overflow || b_list.overflow) return false;
  const Side x{a, a_op, a_outcome};
  const Side y{b, b_op, b_outcome};
  for (uint32_t i = 0; i < a_list.count; ++i) {
    for (uint32_t j = 0; j < b_list.count; ++j) {
      if (!conflict(&a_items[i], 1, &b_items[j], 1)) continue;
      if (!conflict_commutes(world, a_items[i], x, y)) return false;
    }
  }
  return true;
}

}  // namespace mazurka
