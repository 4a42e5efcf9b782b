#include "kinds/files/file_words.h"

#include <fmt/format.h>

#include "objects/world.h"

namespace mazurka::file_words {
namespace {

std::string tried(const Operation& op, const std::string& verb) {
  return (op.flags & kTry) != 0 ? "try to " + verb : verb;
}

// " bytes 0 to 9"
std::string range_text(const Operation& op) {
  if (op.desired == kEndOfFile)
    return op.value == 0 ? "" : fmt::format(" from byte {} on", op.value);
  if (op.desired == op.value + 1) return fmt::format(" byte {}", op.value);
  return fmt::format(" bytes {} to {}", op.value, op.desired - 1);
}

// A lock of a file belongs to a process, or to all that hold the description: those who could give
// it up. A process stands for its first thread.
std::vector<ThreadId> owners_of(const World& world, const LockOwner& owner) {
  if (owner.process != kNoProcess) return {owner.process};
  const Description& description = world.object(owner.description).description;
  return {description.holders, description.holders + description.holder_count};
}

// "bytes 0 to 9 shared by T0.2"
std::string lock_text(const World& world, const FileLock& lock, const Namer& names) {
  std::string text;
  if (lock.is_record && lock.end == kEndOfFile) text = fmt::format("from byte {} on ", lock.begin);
  if (lock.is_record && lock.end != kEndOfFile)
    text = fmt::format("bytes {} to {} ", lock.begin, lock.end - 1);
  text += lock.is_shared ? "shared by " : "locked by ";
  const char* separator = "";
  for (const ThreadId owner : owners_of(world, lock.owner)) {
    text += separator + names.thread(owner);
    separator = ", ";
  }
  return text;
}

}  // namespace

// --- objects

// "locked by T0.1; bytes 0 to 9 shared by T0.2"
std::string file_value(const World& world, ObjectId id, const Namer& names) {
  std::string text;
  for (uint32_t i = 0; i < world.file_lock_count; ++i) {
    const FileLock& lock = world.file_locks[i];
    if (lock.file != id) continue;
    text += (text.empty() ? "" : "; ") + lock_text(world, lock, names);
  }
  return text.empty() ? "not locked" : text;
}

// "exists, made by T0.1"
std::string name_value(const World& world, ObjectId id, const Namer& names) {
  const FileName& name = world.object(id).file_name;
  std::string text = name.exists ? "exists" : "does not exist";
  if (name.changed_by == kNoThread) return text;
  return text + (name.exists ? ", made by " : ", removed by ") + names.thread(name.changed_by);
}

// A name on the way to a file stays what it is.
bool was_always_there(const Object& object) {
  return object.file_name.exists && object.file_name.changed_by == kNoThread;
}

std::string data_value(const World& world, ObjectId id, const Namer& names) {
  const FileData& data = world.object(id).file_data;
  return data.written_by == kNoThread ? "as it was"
                                      : "last written by " + names.thread(data.written_by);
}

// --- operations

std::string lock_verb(const Operation& op) {
  return tried(op, (op.flags & kShared) != 0 ? "share" : "lock");
}

std::string unlock_verb(const Operation& op) { return tried(op, "unlock"); }

std::string look_verb(const Operation& op) { return tried(op, "look for locks of"); }

std::string file_and_range(const Operation& op, const Parts& parts, const Namer& names) {
  const std::string text = target_and_object(op, parts, names);
  return (op.flags & kRecord) != 0 ? text + range_text(op) : text;
}

std::string lock_result(const Operation& op, const Effect& effect) {
  return effect.value == 1 ? "gives up the shared lock first" : error_text(op, effect);
}

std::vector<ThreadId> lockers(const World& world, ThreadId thread, const Operation& op) {
  const FileLock* const found = lock_in_the_way(world, thread, op);
  return found == nullptr ? std::vector<ThreadId>{} : owners_of(world, found->owner);
}

std::string use_verb(const Operation& op) { return name_of(static_cast<FileVerb>(op.value)); }

// "a to b"
std::string name_and_other(const Operation& op, const Parts& parts, const Namer& names) {
  std::string text = target_and_object(op, parts, names);
  if (op.second != kNoObject) text += " to " + names.object(op.second);
  return text;
}

}  // namespace mazurka::file_words
