// The accesses of operations on the locks of files. As with reader-writer locks there are two
// resources, for flock and for records each: those that share add to the one and read the other,
// which those that lock exclusively write. What its own owner has is a third one: processes that
// share a description after a fork change the same lock, and so do the threads of a process.
#include "objects/asked.h"

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

void locks(const Asked& asked, AccessList& out) {
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

namespace on_file {
namespace {

// The accesses to its descriptor, and to what its owner has. False: that was all.
bool is_held(const Asked& asked, Mode own_mode, AccessList& out) {
  const Operation& op = asked.op;
  const ProcessId process = asked.process();
  if (op.second != kNoObject) out.add(hold_of(op.second, process), Mode::Read);
  const bool held =
      op.second == kNoObject || asked.world.object(op.second).description.is_held_by(process);
  // What it does is learned from what it did: elsewhere it would have looked.
  if (!held) looks(sides_of(op.object, is_record(op)), true, out);
  if (!held && !asked.possible) return false;
  out.add(own_resource(op.object, owner_of(asked.world, asked.thread, op)), own_mode);
  return true;
}

}  // namespace

void lock_accesses(const Asked& asked, AccessList& out) {
  if (is_held(asked, Mode::Write, out)) locks(asked, out);
}

void unlock_accesses(const Asked& asked, AccessList& out) {
  if (!is_held(asked, Mode::Write, out)) return;
  changes(sides_of(asked.op.object, is_record(asked.op)),
          own_locks(asked.world, asked.thread, asked.op), out);
}

void look_accesses(const Asked& asked, AccessList& out) {
  if (!is_held(asked, Mode::Read, out)) return;
  looks(sides_of(asked.op.object, true), (asked.op.flags & kShared) != 0, out);
}

void forget_accesses(const Asked& asked, AccessList& out) {
  const LockOwner owner{.process = asked.process()};
  out.add(own_resource(asked.op.object, owner), Mode::Write);
  gives_up(asked.world, owner, asked.op.object, out);
}

}  // namespace on_file

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
