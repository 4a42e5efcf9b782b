// The model of the locks of a file. Linux has two kinds, which do not see each other: that of
// flock, which is on the whole file and belongs to an open description, and records (fcntl, lockf),
// which are on ranges of bytes and belong to a process, or to a description where they are F_OFD_
// ones. No real lock is taken: the model says who waits.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "objects/op_functions.h"
#include "objects/operation.h"

namespace mazurka {

struct World;
struct Outcomes;
struct ThreadState;

inline constexpr uint32_t kMaxFileLocks = 1024;   // of all files together
inline constexpr int64_t kEndOfFile = INT64_MAX;  // of a lock on all that ever follows

// Who a lock belongs to.
struct LockOwner {
  ObjectId description = kNoObject;  // kNoObject: a process
  ProcessId process = kNoProcess;    // kNoProcess: a description

  friend bool operator==(const LockOwner&, const LockOwner&) = default;
};

// In World::file_locks. Those of one owner on one file do not overlap, and neighbours that are
// alike are one; the order is by all that is in here, so that it does not tell who came first.
struct FileLock {
  ObjectId file = kNoObject;
  LockOwner owner;
  bool is_record = false;
  bool is_shared = false;
  int64_t begin = 0;
  int64_t end = kEndOfFile;  // not included
};
static_assert(std::is_trivially_copyable_v<FileLock>);

// A file: when its locks were last changed. As with reader-writer locks, sharers must not see each
// other's time; the time of those that lock exclusively by flock is Object::clock_ns.
struct File {
  int64_t sharers_clock_ns = 0;
  int64_t records_clock_ns = 0;
  int64_t record_sharers_clock_ns = 0;
};
static_assert(std::is_trivially_copyable_v<File>);

// Operations: `object` is the file, `second` the description, or kNoObject where that is not known
// (a record of the process). A record has kRecord, and is from `value` to `desired`; with
// kOfDescription it belongs to the description.
//   FileLock: kShared, kTry. By flock a lock may be changed into one of the other kind, which first
//   gives up what there was where it
//     cannot be had at once: then the effect's value is 1, and the thread comes again to wait.
//   FileUnlock
//   FileLook: F_GETLK: what keeps such a lock out (lock_in_the_way); the effect's value is 1 if
//   there is one. FileForget: the process closes a descriptor of the file, and has others: its
//   records go.

LockOwner owner_of(const World& world, ThreadId thread, const Operation& op);
// The first lock of another owner that does not go with this one, or nullptr.
const FileLock* lock_in_the_way(const World& world, ThreadId thread, const Operation& op);

// What the owner has where the operation is.
struct OwnLocks {
  bool shared = false;
  bool exclusive = false;
};
OwnLocks own_locks(const World& world, ThreadId thread, const Operation& op);

// The process has closed the description; nobody may hold it any more. `me`: whose time that is.
void close_file(World& world, const ThreadState& me, ProcessId process, ObjectId description);
// The end of the process: records on files that it holds no description of.
void give_up_records(World& world, const ThreadState& me, ProcessId process);
// `file`: on that one.
bool has_records(const World& world, ProcessId process, ObjectId file = kNoObject);

namespace on_file {

EnabledFunction lock_enabled;
ApplyFunction lock, unlock, look, forget;
AccessFunction lock_accesses, unlock_accesses, look_accesses, forget_accesses;
CommuteFunction commute;
StateFunction state;

}  // namespace on_file

}  // namespace mazurka
