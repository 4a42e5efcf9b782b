#include "kinds/files/file_lock.h"

#include <errno.h>

#include <tuple>

#include "objects/clock.h"
#include "objects/kind_row.h"
#include "objects/state_sink.h"

namespace mazurka {
namespace {

struct Range {
  int64_t begin;
  int64_t end;
};

bool is_record(const Operation& op) { return (op.flags & kRecord) != 0; }
Range range_of(const Operation& op) {
  return is_record(op) ? Range{op.value, op.desired} : Range{0, kEndOfFile};
}

bool overlap(const FileLock& lock, const Range& range) {
  return lock.begin < range.end && range.begin < lock.end;
}

bool is_held(const World& world, ThreadId thread, const Operation& op) {
  if (op.second == kNoObject) return true;
  return world.object(op.second).description.is_held_by(world.thread(thread).process);
}

// --- the table

auto key_of(const FileLock& lock) {
  return std::tuple(index(lock.file), lock.is_record, index(lock.owner.description),
                    index(lock.owner.process), lock.begin);
}

void remove(World& world, uint32_t place) {
  --world.file_lock_count;
  for (uint32_t i = place; i < world.file_lock_count; ++i)
    world.file_locks[i] = world.file_locks[i + 1];
}

// Requires room for one.
void insert(World& world, const FileLock& lock) {
  uint32_t place = world.file_lock_count++;
  for (; place > 0 && key_of(lock) < key_of(world.file_locks[place - 1]); --place)
    world.file_locks[place] = world.file_locks[place - 1];
  world.file_locks[place] = lock;
}

bool is_same_owner(const FileLock& a, const FileLock& b) {
  return a.file == b.file && a.owner == b.owner && a.is_record == b.is_record;
}

// The owner has no lock in this range any more.
void cut_out(World& world, const FileLock& range) {
  for (uint32_t i = 0; i < world.file_lock_count;) {
    const FileLock old = world.file_locks[i];
    if (!is_same_owner(old, range) || !overlap(old, {range.begin, range.end})) {
      ++i;
      continue;
    }
    remove(world, i);
    FileLock rest = old;
    rest.end = range.begin;
    if (rest.begin < rest.end) insert(world, rest);
    rest = old;
    rest.begin = range.end;
    if (rest.begin < rest.end) insert(world, rest);
    i = 0;  // what was left does not overlap
  }
}

void put(World& world, FileLock added) {
  cut_out(world, added);
  for (uint32_t i = 0; i < world.file_lock_count;) {
    const FileLock old = world.file_locks[i];
    const bool touches = old.end == added.begin || added.end == old.begin;
    if (!is_same_owner(old, added) || old.is_shared != added.is_shared || !touches) {
      ++i;
      continue;
    }
    added.begin = old.begin < added.begin ? old.begin : added.begin;
    added.end = old.end > added.end ? old.end : added.end;
    remove(world, i);
  }
  insert(world, added);
}

// Cutting one out of the middle of another leaves two.
bool has_room(const World& world) { return world.file_lock_count + 2 <= kMaxFileLocks; }

FileLock lock_of(const World& world, ThreadId thread, const Operation& op) {
  const Range range = range_of(op);
  return {op.object,     owner_of(world, thread, op),
          is_record(op), (op.flags & kShared) != 0,
          range.begin,   range.end};
}

// --- time

int64_t& exclusive_clock(World& world, ObjectId file, bool of_records) {
  Object& object = world.object(file);
  return of_records ? object.file.records_clock_ns : object.clock_ns;
}
int64_t& sharers_clock(World& world, ObjectId file, bool of_records) {
  File& state = world.object(file).file;
  return of_records ? state.record_sharers_clock_ns : state.sharers_clock_ns;
}

void show_change(World& world, const ThreadState& me, ObjectId file, bool of_records,
                 const OwnLocks& changed) {
  if (changed.exclusive) show(me, exclusive_clock(world, file, of_records));
  if (changed.shared) show(me, sharers_clock(world, file, of_records));
}

// --- operations

Effect refuse(World& world, ThreadId thread, const Operation& op, const OwnLocks& own) {
  if (is_record(op) || !own.shared) return {.error = EAGAIN};
  cut_out(world, lock_of(world, thread, op));
  show_change(world, world.thread(thread), op.object, false, own);
  return (op.flags & kTry) != 0 ? Effect{.error = EAGAIN} : Effect{.value = 1};
}

Effect apply_lock(World& world, ThreadId thread, const Operation& op) {
  ThreadState& me = world.thread(thread);
  const bool shares = (op.flags & kShared) != 0;
  const OwnLocks own = own_locks(world, thread, op);
  see(me, exclusive_clock(world, op.object, is_record(op)));
  if (!shares) see(me, sharers_clock(world, op.object, is_record(op)));
  if (lock_in_the_way(world, thread, op) != nullptr) return refuse(world, thread, op, own);
  if (!has_room(world)) return {.error = ENOLCK};
  put(world, lock_of(world, thread, op));
  show_change(world, me, op.object, is_record(op), {shares, !shares || own.exclusive});
  return {};
}

Effect apply_unlock(World& world, ThreadId thread, const Operation& op) {
  ThreadState& me = world.thread(thread);
  const OwnLocks own = own_locks(world, thread, op);
  if (own.shared || own.exclusive) see(me, exclusive_clock(world, op.object, is_record(op)));
  if (!has_room(world)) return {.error = ENOLCK};
  cut_out(world, lock_of(world, thread, op));
  show_change(world, me, op.object, is_record(op), own);
  return {};
}

Effect apply_look(World& world, ThreadId thread, const Operation& op) {
  ThreadState& me = world.thread(thread);
  see(me, exclusive_clock(world, op.object, true));
  if ((op.flags & kShared) == 0) see(me, sharers_clock(world, op.object, true));
  const FileLock* const found = lock_in_the_way(world, thread, op);
  return {.value = found != nullptr};
}

// Those of `owner`, or on that file alone. `shows_only`: somebody else keeps them.
void give_up(World& world, const ThreadState& me, const LockOwner& owner, ObjectId file,
             bool shows_only) {
  for (uint32_t i = 0; i < world.file_lock_count;) {
    const FileLock& lock = world.file_locks[i];
    if (lock.owner != owner || (file != kNoObject && lock.file != file)) {
      ++i;
      continue;
    }
    show_change(world, me, lock.file, lock.is_record, {lock.is_shared, !lock.is_shared});
    if (shows_only) {
      ++i;
    } else {
      remove(world, i);
    }
  }
}

}  // namespace

LockOwner owner_of(const World& world, ThreadId thread, const Operation& op) {
  const bool of_process = is_record(op) && (op.flags & kOfDescription) == 0;
  if (of_process) return {.process = world.thread(thread).process};
  return {.description = op.second};
}

const FileLock* lock_in_the_way(const World& world, ThreadId thread, const Operation& op) {
  const LockOwner owner = owner_of(world, thread, op);
  const bool shares = (op.flags & kShared) != 0;
  for (uint32_t i = 0; i < world.file_lock_count; ++i) {
    const FileLock& lock = world.file_locks[i];
    if (lock.file != op.object || lock.is_record != is_record(op) || lock.owner == owner) continue;
    if (overlap(lock, range_of(op)) && !(shares && lock.is_shared)) return &lock;
  }
  return nullptr;
}

OwnLocks own_locks(const World& world, ThreadId thread, const Operation& op) {
  OwnLocks own;
  const FileLock wanted = lock_of(world, thread, op);
  for (uint32_t i = 0; i < world.file_lock_count; ++i) {
    const FileLock& lock = world.file_locks[i];
    if (!is_same_owner(lock, wanted) || !overlap(lock, range_of(op))) continue;
    (lock.is_shared ? own.shared : own.exclusive) = true;
  }
  return own;
}

namespace on_file {

Outcomes lock_enabled(const World& world, ThreadId thread, const Operation& op) {
  const bool may_wait = (op.flags & kTry) == 0 && is_held(world, thread, op);
  if (!may_wait || lock_in_the_way(world, thread, op) == nullptr) return Outcomes::one();
  const bool gives_up_first = !is_record(op) && own_locks(world, thread, op).shared;
  return gives_up_first ? Outcomes::one() : Outcomes::none();
}

Effect lock(World& world, ThreadId thread, const Operation& op, Outcome) {
  return is_held(world, thread, op) ? apply_lock(world, thread, op) : Effect{.error = EBADF};
}

Effect unlock(World& world, ThreadId thread, const Operation& op, Outcome) {
  return is_held(world, thread, op) ? apply_unlock(world, thread, op) : Effect{.error = EBADF};
}

Effect look(World& world, ThreadId thread, const Operation& op, Outcome) {
  return is_held(world, thread, op) ? apply_look(world, thread, op) : Effect{.error = EBADF};
}

Effect forget(World& world, ThreadId thread, const Operation& op, Outcome) {
  if (!is_held(world, thread, op)) return {.error = EBADF};
  ThreadState& me = world.thread(thread);
  give_up(world, me, {.process = me.process}, op.object, false);
  return {};
}

// Records that do not overlap, of different owners, whatever is done to them.
bool commute(const World& world, ObjectId, const Party& x, const Party& y) {
  const auto is_change = [](const Party& side) {
    const bool is_such = side.is(OpKind::FileLock) || side.is(OpKind::FileUnlock);
    return is_such && (side.op.flags & kRecord) != 0;
  };
  if (!is_change(x) || !is_change(y) ||
      owner_of(world, x.thread, x.op) == owner_of(world, y.thread, y.op))
    return false;
  return x.op.desired <= y.op.value || y.op.desired <= x.op.value;
}

void state(const World& world, ObjectId id, StateSink& sink) {
  for (uint32_t i = 0; i < world.file_lock_count; ++i) {
    const FileLock& lock = world.file_locks[i];
    if (lock.file != id) continue;
    sink.add({index(lock.owner.description), index(lock.owner.process), lock.is_record});
    sink.add({lock.is_shared, lock.begin, lock.end});
  }
  const File& file = world.object(id).file;
  sink.add_clock(file.sharers_clock_ns);
  sink.add_clock(file.records_clock_ns);
  sink.add_clock(file.record_sharers_clock_ns);
}

}  // namespace on_file

void close_file(World& world, const ThreadState& me, ProcessId process, ObjectId id) {
  const Description& description = world.object(id).description;
  give_up(world, me, {.process = process}, description.either(), false);
  give_up(world, me, {.description = id}, kNoObject, description.holder_count > 0);
}

void give_up_records(World& world, const ThreadState& me, ProcessId process) {
  give_up(world, me, {.process = process}, kNoObject, false);
}

bool has_records(const World& world, ProcessId process, ObjectId file) {
  for (uint32_t i = 0; i < world.file_lock_count; ++i) {
    const FileLock& lock = world.file_locks[i];
    if (lock.owner.process == process && (file == kNoObject || lock.file == file)) return true;
  }
  return false;
}

}  // namespace mazurka
