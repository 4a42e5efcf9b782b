#include "objects/file_use.h"

#include "objects/clock.h"

namespace mazurka {
namespace {

uint32_t parts_of(const Operation& op) { return op.part_count < kMaxFileParts ? op.part_count : kMaxFileParts; }

SemPart part_at(const World& world, const Operation& op, uint32_t i) {
  return looked_behind(world, world.parts[op.part_begin + i]);
}

FileUsage usage_behind(FileUsage usage) {
  switch (usage) {
    case FileUsage::ReadsDataBehind:
      return FileUsage::ReadsData;
    case FileUsage::WritesDataBehind:
      return FileUsage::WritesData;
    case FileUsage::ReadsLinksBehind:
      return FileUsage::ReadsLinks;
    case FileUsage::ChangesLinksBehind:
      return FileUsage::ChangesLinks;
    default:
      return usage;
  }
}

// What the parts of one operation do to names, one after the other, while the world stays as it is.
class NamesSoFar {
 public:
  NamesSoFar(const World& before, const Operation& op) : before_(before), op_(op) {}

  // Requires that it is asked for each part in turn.
  bool changes(uint32_t i) {
    const SemPart part = part_at(before_, op_, i);
    const FileUsage usage = usage_of(part);
    const bool is_about_name = usage <= FileUsage::Replaces;
    const bool exists = is_about_name && exists_now(part.semaphore, i);
    if (usage == FileUsage::Removes && !exists) has_missed_ = true;
    const bool changes = is_change(usage, exists);
    exists_after_[i] = changes ? usage != FileUsage::Removes : exists;
    return changes;
  }

 private:
  bool is_change(FileUsage usage, bool exists) const {
    switch (usage) {
      case FileUsage::LooksUp:
      case FileUsage::Lists:
      case FileUsage::ReadsData:
      case FileUsage::ReadsLinks:
      case FileUsage::UsesDescription:
      case FileUsage::ReadsDataBehind:
      case FileUsage::ReadsLinksBehind:
        return false;
      case FileUsage::Makes:
        return !exists;
      case FileUsage::Removes:
        return exists;
      case FileUsage::Replaces:
        return !has_missed_;
      case FileUsage::ChangesEntries:
      case FileUsage::WritesData:
      case FileUsage::ChangesLinks:
      case FileUsage::MovesOffset:
      case FileUsage::WritesDataBehind:
      case FileUsage::ChangesLinksBehind:
        break;
    }
    return true;
  }

  bool exists_now(ObjectId name, uint32_t i) const {
    while (i > 0) {
      const SemPart earlier = part_at(before_, op_, --i);
      if (earlier.semaphore == name && usage_of(earlier) <= FileUsage::Replaces) return exists_after_[i];
    }
    return before_.object(name).file_name.exists;
  }

  const World& before_;
  const Operation& op_;
  bool has_missed_ = false;  // something that was to be removed did not exist
  bool exists_after_[kMaxFileParts] = {};
};

// The clock of what the part uses, or nullptr where it has no time of its own.
int64_t* clock_of(World& world, const SemPart& part) {
  Object& object = world.object(part.semaphore);
  switch (usage_of(part)) {
    case FileUsage::Lists:
    case FileUsage::ChangesEntries:
      return &object.file_name.entries_clock_ns;
    case FileUsage::ReadsLinks:
    case FileUsage::ChangesLinks:
      return &object.file_data.links_clock_ns;
    case FileUsage::UsesDescription:
      return nullptr;
    default:
      return &object.clock_ns;
  }
}

uint64_t number_of(ThreadId changer) { return changer == kNoThread ? 0 : index(changer) + uint64_t{1}; }

// What there is to see of it.
uint64_t found_by(const World& world, ThreadId thread, const SemPart& part) {
  const Object& object = world.object(part.semaphore);
  switch (usage_of(part)) {
    case FileUsage::LooksUp:
    case FileUsage::Makes:
    case FileUsage::Removes:
    case FileUsage::Replaces:
      return 2 * number_of(object.file_name.changed_by) + object.file_name.exists;
    case FileUsage::Lists:
      return object.file_name.entries_changed_by;
    case FileUsage::ReadsData:
    case FileUsage::WritesData:
      return number_of(object.file_data.written_by);
    case FileUsage::ReadsLinks:
    case FileUsage::ChangesLinks:
      return number_of(object.file_data.links_changed_by);
    case FileUsage::MovesOffset:
    case FileUsage::UsesDescription:
      return object.description.is_held_by(world.thread(thread).process) ? 0 : 1;
    default:
      break;
  }
  return 0;
}

void change(World& world, ThreadId thread, const SemPart& part) {
  Object& object = world.object(part.semaphore);
  switch (usage_of(part)) {
    case FileUsage::Makes:
    case FileUsage::Replaces:
    case FileUsage::Removes:
      object.file_name.exists = usage_of(part) != FileUsage::Removes;
      object.file_name.changed_by = thread;
      break;
    case FileUsage::ChangesEntries:
      object.file_name.entries_changed_by |= uint64_t{1} << (index(thread) % 64);
      break;
    case FileUsage::WritesData:
      object.file_data.written_by = thread;
      break;
    case FileUsage::ChangesLinks:
      object.file_data.links_changed_by = thread;
      break;
    default:
      break;
  }
}

}  // namespace

SemPart looked_behind(const World& world, SemPart part) {
  const FileUsage usage = usage_behind(usage_of(part));
  if (usage == usage_of(part)) return part;
  const ObjectId target = world.object(part.semaphore).file_name.target;
  if (target != kNoObject) part.semaphore = target;
  part.delta = static_cast<int32_t>(target != kNoObject ? usage : FileUsage::LooksUp);
  return part;
}

uint64_t changing_parts(const World& before, const Operation& op) {
  NamesSoFar names(before, op);
  uint64_t changing = 0;
  for (uint32_t i = 0; i < parts_of(op); ++i) {
    if (names.changes(i)) changing |= uint64_t{1} << i;
  }
  return changing;
}

Outcomes file_use_enabled(const World&, ThreadId, const Operation&) { return Outcomes::one(); }

// It sees all before it shows itself anywhere.
Effect file_use_apply(World& world, ThreadId thread, const Operation& op) {
  ThreadState& me = world.thread(thread);
  const uint64_t changing = changing_parts(world, op);
  uint64_t found = 0;
  for (uint32_t i = 0; i < parts_of(op); ++i) {
    const SemPart part = part_at(world, op, i);
    found = found * 31 + found_by(world, thread, part);
    const int64_t* const clock_ns = clock_of(world, part);
    if (clock_ns != nullptr && usage_of(part) != FileUsage::ChangesEntries) see(me, *clock_ns);
  }
  for (uint32_t i = 0; i < parts_of(op); ++i) {
    if ((changing >> i & 1) == 0) continue;
    const SemPart part = part_at(world, op, i);
    change(world, thread, part);
    show(me, *clock_of(world, part));
  }
  return {.value = static_cast<int64_t>(found)};
}

const char* name_of(FileVerb verb) {
  switch (verb) {
    case FileVerb::Open:
      return "open";
    case FileVerb::Create:
      return "create";
    case FileVerb::Look:
      return "look at";
    case FileVerb::Read:
      return "read";
    case FileVerb::Write:
      return "write";
    case FileVerb::Truncate:
      return "truncate";
    case FileVerb::Unlink:
      return "unlink";
    case FileVerb::Rename:
      return "rename";
    case FileVerb::Link:
      return "link";
    case FileVerb::Symlink:
      return "symlink";
    case FileVerb::MakeDirectory:
      return "mkdir";
    case FileVerb::RemoveDirectory:
      return "rmdir";
    case FileVerb::List:
      return "list";
    case FileVerb::Change:
      return "change";
    case FileVerb::Enter:
      return "enter";
  }
  return "use";
}

}  // namespace mazurka
