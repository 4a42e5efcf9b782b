// The accesses of operations on the locks of files. As with reader-writer locks there are two
// resources, for flock and for records each: those that share add to the one and read the other,
// which those that lock exclusively write. What its own owner has is a third one: processes that
// share a description after a fork change the same lock, and so do the threads of a process.
#include "objects/object_accesses.h"

namespace mazurka {
namespace {

struct Sides {
  Resource exclusive;
  Resource sharers;
};

Sides sides_of(ObjectId file, bool of_records) {
  return {object_resource(file, of_records ? kRecords : kWhole),
          object_resource(file, of_records ? kRecordSharers : kReaders)};
}

bool is_record(const Operation& op) { return (op.flags & kRecord) != 0; }

Resource own_resource(ObjectId file, const LockOwner& owner) {
  if (owner.description != kNoObject) return object_resource(owner.description, kOwnLocks);
  return hold_of(file, owner.process);
}

void changes(const Sides& sides, const OwnLocks& changed, AccessList& out) {
  if (changed.exclusive) out.add(sides.exclusive, Mode::Write);
  if (!changed.shared) return;
  if (!changed.exclusive) out.add(sides.exclusive, Mode::Read);
  out.add(sides.sharers, Mode::Add);
}

void looks(const Sides& sides, bool shares, AccessList& out) {
  out.add(sides.exclusive, Mode::Read);
  if (!shares) out.add(sides.sharers, Mode::Read);
}

void lock_accesses(const Asked& asked, AccessList& out) {
  const bool shares = (asked.op.flags & kShared) != 0;
  const Sides sides = sides_of(asked.op.object, is_record(asked.op));
  const OwnLocks own = own_locks(asked.world, asked.thread, asked.op);
  const bool refused = lock_in_the_way(asked.world, asked.thread, asked.op) != nullptr;
  if (refused || asked.possible) {
    looks(sides, shares, out);
    if (!is_record(asked.op)) changes(sides, own, out);  // gives up what it has
  }
  if (refused && !asked.possible) return;
  changes(sides, {shares, !shares || own.exclusive}, out);
}

// What this owner would lose. Also where others hold the description still: which of the closes is
// the last does not change what they depend on.
void gives_up(const World& world, const LockOwner& owner, ObjectId file, AccessList& out) {
  for (uint32_t i = 0; i < world.file_lock_count; ++i) {
    const FileLock& lock = world.file_locks[i];
    if (lock.owner != owner || (file != kNoObject && lock.file != file)) continue;
    out.add(own_resource(lock.file, owner), Mode::Write);
    changes(sides_of(lock.file, lock.is_record), {lock.is_shared, !lock.is_shared}, out);
  }
}

}  // namespace

void file_lock_accesses(const Asked& asked, AccessList& out) {
  const Operation& op = asked.op;
  const ProcessId process = asked.world.thread(asked.thread).process;
  const LockOwner owner = owner_of(asked.world, asked.thread, op);
  if (op.kind == OpKind::FileForget) {
    out.add(own_resource(op.object, {.process = process}), Mode::Write);
    return gives_up(asked.world, {.process = process}, op.object, out);
  }
  if (op.second != kNoObject) out.add(hold_of(op.second, process), Mode::Read);
  const bool is_held =
      op.second == kNoObject || asked.world.object(op.second).description.is_held_by(process);
  // What it does is learned from what it did: elsewhere it would have looked.
  if (!is_held) looks(sides_of(op.object, is_record(op)), true, out);
  if (!is_held && !asked.possible) return;
  out.add(own_resource(op.object, owner), op.kind == OpKind::FileLook ? Mode::Read : Mode::Write);
  switch (op.kind) {
    case OpKind::FileLock:
      return lock_accesses(asked, out);
    case OpKind::FileUnlock:
      return changes(sides_of(op.object, is_record(op)), own_locks(asked.world, asked.thread, op),
                     out);
    default:
      return looks(sides_of(op.object, true), (op.flags & kShared) != 0, out);
  }
}

void close_file_accesses(const World& world, ProcessId process, ObjectId id, AccessList& out) {
  const ObjectId file = world.object(id).description.either();
  out.add(own_resource(file, {.process = process}), Mode::Write);
  out.add(object_resource(id, kOwnLocks), Mode::Read);
  gives_up(world, {.process = process}, file, out);
  gives_up(world, {.description = id}, kNoObject, out);
}

void gives_up_records(const World& world, ProcessId process, AccessList& out) {
  gives_up(world, {.process = process}, kNoObject, out);
}

}  // namespace mazurka
